import ts from "typescript";
import { publishablePackages } from "@tillkit/repository";

/** The compiler options for the sources of published packages. */
export const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  customConditions: ["@tillkit/source"],
  types: ["node"],
  skipLibCheck: true,
  noEmit: true,
};

/** Every entry of every published package, such as `@tillkit/core/http`, with its source. */
export const publishedEntries = publishablePackages().flatMap(({ name, path, exports }) =>
  Object.entries(exports).flatMap(([subpath, target]) => {
    const source = typeof target === "string" ? undefined : target["@tillkit/source"];
    return source === undefined
      ? []
      : [{ name, subpath, entry: name + subpath.slice(1), file: `${path}/${source.slice(2)}` }];
  }),
);

let program: ts.Program | undefined;

/** Returns the program of all entries. Creates it at the first call. */
export function publishedProgram(): ts.Program {
  program ??= ts.createProgram({ rootNames: publishedEntries.map(({ file }) => file), options: OPTIONS });
  return program;
}

/** A name that a module exports, and what it stands for. */
export interface Exported {
  readonly name: string;
  readonly symbol: ts.Symbol;
}

/** Returns everything that the module exports. Throws if it exports nothing. */
export function exportsOf(inProgram: ts.Program, file: string): readonly Exported[] {
  const checker = inProgram.getTypeChecker();
  const source = inProgram.getSourceFile(file);
  const entry = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (entry === undefined) throw new Error(`${file} is not a module`);
  const names = checker.getExportsOfModule(entry);
  if (names.length === 0) throw new Error(`${file} exports nothing`);
  return names.map((name) => ({
    name: name.name,
    symbol: name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name,
  }));
}
