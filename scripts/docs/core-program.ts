import ts from "typescript";
import { root } from "@tillkit/repository";

const folder = `${root}packages/core`;

/** Creates the type-checked program of the sources of core. */
export function coreProgram(): ts.Program {
  const config = ts.getParsedCommandLineOfConfigFile(
    `${folder}/tsconfig.json`,
    { noEmit: true, composite: false },
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"));
      },
    },
  );
  if (config === undefined) throw new Error(`${folder}/tsconfig.json cannot be read`);
  const program = ts.createProgram({ rootNames: config.fileNames, options: config.options });
  // The binding step sets the parent of each node, which its text needs.
  program.getTypeChecker();
  return program;
}

/** Returns the interface `name` that `file` of core declares, such as `ports.ts`. */
export function interfaceIn(program: ts.Program, file: string, name: string): ts.InterfaceDeclaration {
  const found = program
    .getSourceFile(`${folder}/src/${file}`)
    ?.statements.filter((statement) => ts.isInterfaceDeclaration(statement))
    .find((statement) => statement.name.text === name);
  if (found === undefined) throw new Error(`packages/core/src/${file} declares no interface ${name}`);
  return found;
}

/**
 * Returns the path of a declaration relative to the sources of core, or `undefined` outside core.
 */
export function placeInCore(node: ts.Node): string | undefined {
  const { fileName } = node.getSourceFile();
  return fileName.startsWith(`${folder}/src/`) ? fileName.slice(`${folder}/src/`.length) : undefined;
}

/** Returns a declaration as written, with its doc comments, shifted to the left margin. */
export function sourceOf(node: ts.Node): string {
  const text = node.getFullText().replace(/^\s*\n/, "");
  return text.trim();
}

/** Returns the interfaces and type aliases of core that `node` names, in order of appearance. */
export function namedTypes(checker: ts.TypeChecker, node: ts.Node): readonly NamedType[] {
  const found = new Set<NamedType>();
  const visit = (child: ts.Node): void => {
    if (ts.isTypeReferenceNode(child) || ts.isExpressionWithTypeArguments(child)) {
      const name = ts.isTypeReferenceNode(child) ? child.typeName : child.expression;
      const declaration = declarationOf(checker, name);
      if (declaration !== undefined) found.add(declaration);
    }
    ts.forEachChild(child, visit);
  };
  visit(node);
  return [...found];
}

/** A named type. */
export type NamedType = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

function declarationOf(checker: ts.TypeChecker, name: ts.Node): NamedType | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) return undefined;
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return target.declarations
    ?.filter((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one))
    .find((one) => placeInCore(one) !== undefined);
}
