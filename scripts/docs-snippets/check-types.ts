// Checks the types of the modules in the working directory. Imported sources are read but not
// checked, because `npm run typecheck` checks them.
import ts from "typescript";

const folder = process.cwd();
const host: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => folder,
  getNewLine: () => "\n",
};
const config = ts.getParsedCommandLineOfConfigFile(
  `${folder}/tsconfig.json`,
  {},
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.formatDiagnostic(diagnostic, host));
    },
  },
);
if (config === undefined) throw new Error(`${folder}/tsconfig.json cannot be read`);
const program = ts.createProgram({ rootNames: config.fileNames, options: config.options });
const problems = [
  ...config.errors,
  ...program.getOptionsDiagnostics(),
  ...config.fileNames.flatMap((name) => {
    const file = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  }),
];
process.stdout.write(ts.formatDiagnostics(problems, host));
process.exitCode = problems.length === 0 ? 0 : 1;
