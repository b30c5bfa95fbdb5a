import ts from "typescript";
import { root } from "@tillkit/repository";

/**
 * Returns the failure names of each payments endpoint by path, read from the types of its function.
 */
export function endpointFailures(program: ts.Program): ReadonlyMap<string, readonly string[]> {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(`${root}packages/core/src/http/payments/routes.ts`);
  if (file === undefined) throw new Error("packages/core/src/http/payments/routes.ts is missing");
  const found = new Map<string, readonly string[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const path = valueOf(node, "path");
      const run = valueOf(node, "run");
      if (path !== undefined && ts.isStringLiteral(path) && run !== undefined) {
        found.set(path.text, failureNames(checker, checker.getTypeAtLocation(run)));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function valueOf(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  return object.properties
    .filter((property) => ts.isPropertyAssignment(property))
    .find((property) => property.name.getText() === name)?.initializer;
}

/** Returns the `name`s of `E` in a function that returns `ResultAsync<T, E>`. */
function failureNames(checker: ts.TypeChecker, run: ts.Type): readonly string[] {
  const result = run.getCallSignatures()[0]?.getReturnType();
  const failure =
    result !== undefined && isReference(result) ? checker.getTypeArguments(result)[1] : undefined;
  const members = failure === undefined ? [] : failure.isUnion() ? failure.types : [failure];
  const names = members.flatMap((member) => {
    const name = member.getProperty("name");
    const type = name === undefined ? undefined : checker.getTypeOfSymbol(name);
    return type?.isUnion() === true ? type.types : type === undefined ? [] : [type];
  });
  return [...new Set(names.filter((name) => name.isStringLiteral()).map((name) => name.value))].sort();
}

function isReference(type: ts.Type): type is ts.TypeReference {
  return "target" in type;
}
