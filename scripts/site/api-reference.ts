import { root } from "@tillkit/repository";
import { Application, type TypeDocOptions } from "typedoc";
import { publishedEntries } from "../lib/published-exports.js";

/**
 * Writes the API reference of every published package into `folder`, from the doc comments.
 *
 * @param home - the address of the site's home page, such as `/`.
 */
export async function writeApiReference(folder: string, home: string): Promise<void> {
  const options: TypeDocOptions = {
    name: "Tillkit API",
    entryPoints: publishedEntries.map(({ file }) => file),
    tsconfig: `${root}scripts/tsconfig.json`,
    // `npm run typecheck` checks the sources.
    skipErrorChecking: true,
    excludeInternal: true,
    readme: "none",
    disableGit: true,
    sourceLinkTemplate: "https://github.com/tillkit/tillkit/blob/main/{path}#L{line}",
    basePath: root,
    hideGenerator: true,
    navigationLinks: { Documentation: home },
    // Without a default, TypeDoc would empty the folder `docs`.
    out: folder,
    logLevel: "Warn",
    validation: { notExported: false, invalidLink: true, invalidPath: false },
    treatWarningsAsErrors: true,
  };
  const application = await Application.bootstrap(options);
  const project = await application.convert();
  if (project === undefined) throw new Error("TypeDoc read no sources");
  for (const module of project.children ?? []) {
    const file = module.sources?.[0]?.fullFileName;
    module.name = publishedEntries.find((entry) => entry.file === file)?.entry ?? module.name;
  }
  application.validate(project);
  await application.generateDocs(project, folder);
  if (application.logger.hasErrors() || application.logger.hasWarnings()) {
    throw new Error("TypeDoc reported problems");
  }
}
