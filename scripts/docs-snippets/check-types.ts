// Checks the types of every code block of the pages and doc comments, each as a module of its own.
// Reads the packages' declarations, which `tsc -b` has written.
import { root, withTemporaryFolder } from "@tillkit/repository";
import ts from "typescript";
import { docComments } from "./doc-comments.js";
import { pages } from "./pages.js";
import { snippetsOf } from "./snippets.js";
import { writeWorkspace } from "./workspace.js";

const snippets = [...pages(), ...docComments()].flatMap(snippetsOf);
process.exitCode = await withTemporaryFolder(async (folder) => {
  await writeWorkspace(folder, snippets);
  const problems = problemsIn(folder);
  const host: ts.FormatDiagnosticsHost = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => "\n",
  };
  process.stdout.write(ts.formatDiagnostics(problems, host));
  console.log(`${snippets.length} code blocks: ${problems.length} problems`);
  return problems.length === 0 ? 0 : 1;
});

/** Returns the problems of the modules in `folder`. `tsc -b` checks the packages that they use. */
function problemsIn(folder: string): readonly ts.Diagnostic[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    `${folder}/tsconfig.json`,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
      },
    },
  );
  if (config === undefined) throw new Error(`${root}tsconfig.json cannot be read`);
  const { fileNames: rootNames, options, projectReferences, errors } = config;
  const program = ts.createProgram({
    rootNames,
    options,
    ...(projectReferences === undefined ? {} : { projectReferences }),
  });
  return [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...rootNames.flatMap((name) => {
      const file = program.getSourceFile(name);
      return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    }),
  ];
}
