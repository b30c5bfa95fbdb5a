import ts from "typescript";
import { interfaceIn, namedTypes, type NamedType, placeInCore } from "./core-program.js";
import { docOf } from "./doc-comment.js";
import { code, page, table } from "./markdown.js";

/** Creates the list of ports: the members of `Ports` and `Stores`, each with a link to its file. */
export function portsPage(program: ts.Program): string {
  const rowsOf = (bundle: string) =>
    interfaceIn(program, "ports.ts", bundle)
      .members.filter((member) => ts.isPropertySignature(member))
      .map((member) => rowOf(program.getTypeChecker(), member));
  return page(
    "Ports",
    "The interfaces that a host provides. The doc comments in the linked files state every guarantee that an adapter must keep, and the suites of `@tillkit/contract-tests` test it.",
    "## Storage",
    table(["Member of `Stores`", "Type", "Purpose"], rowsOf("Stores")),
    "## Everything else",
    table(["Further member of `Ports`", "Type", "Purpose"], rowsOf("Ports")),
  );
}

function rowOf(checker: ts.TypeChecker, member: ts.PropertySignature): readonly string[] {
  const type = code(member.type?.getText() ?? "");
  const named = namedTypes(checker, member);
  const port = named.find(isPort) ?? named.find((one) => ts.isInterfaceDeclaration(one));
  const comment = docOf(member) === "" && port !== undefined ? docOf(port) : docOf(member);
  return [
    code(`${member.name.getText()}${member.questionToken === undefined ? "" : "?"}`),
    port === undefined ? type : `[${type}](../../packages/core/src/${placeInCore(port) ?? ""})`,
    comment.split("\n")[0] ?? "",
  ];
}

/** Whether a type is a port: an interface with a method. */
function isPort(type: NamedType): boolean {
  return ts.isInterfaceDeclaration(type) && type.members.some((member) => ts.isMethodSignature(member));
}
