import ts from "typescript";

/**
 * Writes the declaration of each module that the entries reach.
 *
 * Throws if the compiler reports an error.
 *
 * @param folder - the folder of the package. The declarations are written to its `dist`.
 */
export function emitDeclarations(folder: string, entries: readonly string[]): void {
  const config = ts.getParsedCommandLineOfConfigFile(
    `${folder}/tsconfig.json`,
    {
      composite: false,
      // Without the private condition, other packages resolve to their published declarations.
      customConditions: [],
      rootDir: `${folder}/src`,
      outDir: `${folder}/dist`,
    },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => throwAll([diagnostic], folder) },
  );
  if (config === undefined) throw new Error(`${folder}/tsconfig.json cannot be read`);
  const ambient = config.fileNames.filter((file) => file.endsWith(".d.ts"));
  const program = ts.createProgram({
    rootNames: [...entries, ...ambient],
    options: config.options,
    host: hostOf(config.options),
  });
  throwAll([...config.errors, ...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics], folder);
}

/** The parsed declarations of libraries and of packages built before. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** Creates a host that parses each declaration once for all packages: all have the same options. */
function hostOf(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    getSourceFile: (file, ...rest) => {
      if (!file.endsWith(".d.ts")) return host.getSourceFile(file, ...rest);
      if (!parsed.has(file)) parsed.set(file, host.getSourceFile(file, ...rest));
      return parsed.get(file);
    },
  };
}

function throwAll(diagnostics: readonly ts.Diagnostic[], folder: string): void {
  if (diagnostics.length === 0) return;
  throw new Error(
    ts.formatDiagnostics(diagnostics, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => folder,
      getNewLine: () => "\n",
    }),
  );
}
