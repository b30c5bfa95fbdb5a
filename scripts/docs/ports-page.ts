import ts from "typescript";
import { interfaceIn, namedTypes, type NamedType, placeInCore, sourceOf } from "./core-program.js";
import { type Anchors, commentOf, docOf, withPlainLinks } from "./doc-comment.js";
import { code, codeBlock, page, table } from "./markdown.js";

/** Creates the reference of ports: the interfaces that `Ports` reaches, their methods and types. */
export function portsPage(program: ts.Program): string {
  const checker = program.getTypeChecker();
  const ports = interfaceIn(program, "ports.ts", "Ports");
  const bundles = [
    ports,
    ...namedTypes(checker, ports).filter((one) => ts.isInterfaceDeclaration(one)),
  ].filter((one) => placeInCore(one) === "ports.ts");
  const interfaces = unique(bundles.flatMap((bundle) => namedTypes(checker, bundle))).filter(isPort);
  const types = dataTypes(checker, interfaces);
  const anchors = anchorsOf([...bundles, ...interfaces, ...types]);
  return page(
    "Ports",
    "The interfaces that a host provides. An adapter must keep every guarantee on this page. The suites of `@tillkit/contract-tests` test it.",
    ...bundles.flatMap((bundle) => bundleSection(checker, bundle, anchors)),
    ...interfaces.flatMap((port) => portSection(port, anchors)),
    "## Types",
    ...types.flatMap((one) => [
      `### ${one.name.text}`,
      codeBlock(withPlainLinks(sourceOfType(checker, one))),
    ]),
  );
}

/** Returns the headings of the page by the name that they document, and the page of the policy. */
function anchorsOf(documented: readonly NamedType[]): Anchors {
  const headings = documented.flatMap((one) => [
    one.name.text,
    ...(ts.isInterfaceDeclaration(one) && isPort(one)
      ? one.members.map((member) => `${one.name.text}.${member.name?.getText() ?? ""}`)
      : []),
  ]);
  const anchors = headings.map((name) => [name, `#${name.replaceAll(".", "").toLowerCase()}`] as const);
  return new Map([...anchors, ["Policy", "policy.md"]]);
}

function bundleSection(
  checker: ts.TypeChecker,
  bundle: ts.InterfaceDeclaration,
  anchors: Anchors,
): readonly string[] {
  const rows = bundle.members
    .filter((member) => ts.isPropertySignature(member))
    .map((member) => {
      const type = member.type?.getText() ?? "";
      const port = namedTypes(checker, member).find((one) => isPort(one))?.name.text ?? "";
      const anchor = anchors.get(port);
      const optional = member.questionToken === undefined ? "" : "?";
      const shown = anchor === undefined ? code(type) : `[${code(type)}](${anchor})`;
      return [code(`${member.name.getText()}${optional}`), shown, docOf(member, anchors)];
    });
  return [`## ${bundle.name.text}`, docOf(bundle, anchors), table(["Member", "Type", ""], rows)];
}

function portSection(port: ts.InterfaceDeclaration, anchors: Anchors): readonly string[] {
  const members = port.members.flatMap((member) => {
    const name = member.name?.getText() ?? "";
    const signature = member
      .getText()
      .replace(/;$/, "")
      .replace(/\n {2}/g, "\n");
    return [`### ${port.name.text}.${name}`, codeBlock(signature), docOf(member, anchors)];
  });
  return [
    `## ${port.name.text}`,
    docOf(port, anchors),
    `Declared in ${code(`core/src/${placeInCore(port) ?? ""}`)}.`,
    ...members,
  ];
}

/** Whether a type is a port: an interface with a method. */
function isPort(type: NamedType): type is ts.InterfaceDeclaration {
  return ts.isInterfaceDeclaration(type) && type.members.some((member) => ts.isMethodSignature(member));
}

/**
 * Returns the types that ports use, directly or indirectly, by name.
 *
 * Leaves out failures, which have their own page.
 */
function dataTypes(checker: ts.TypeChecker, ports: readonly ts.InterfaceDeclaration[]): readonly NamedType[] {
  const described = new Set<NamedType>(ports);
  const found = new Set<NamedType>();
  const visit = (type: NamedType): void => {
    for (const next of namedTypes(checker, type)) {
      if (found.has(next) || described.has(next) || placeInCore(next)?.startsWith("errors/") === true)
        continue;
      found.add(next);
      visit(next);
    }
  };
  ports.forEach(visit);
  return [...found].sort((a, b) => (a.name.text < b.name.text ? -1 : 1));
}

/**
 * Returns the declaration of a type. A type derived from a constant is shown in its expanded form.
 */
function sourceOfType(checker: ts.TypeChecker, type: NamedType): string {
  if (ts.isInterfaceDeclaration(type) || !/\btypeof\b/.test(type.type.getText())) return sourceOf(type);
  const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;
  return `${commentOf(type)}\nexport type ${type.name.text} = ${checker.typeToString(checker.getTypeAtLocation(type), type, flags)};`;
}

function unique<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)];
}
