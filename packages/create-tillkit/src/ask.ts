import { cancel, intro, isCancel, select, text } from "@clack/prompts";
import type { Arguments } from "./read-arguments.js";
import { FRAMEWORK_NAMES, FRAMEWORKS } from "./frameworks.js";
import { PACKAGE_MANAGER_NAMES, type PackageManagerName } from "./package-managers.js";
import { type Answers, folderProblem } from "./write-project.js";

/** The folder that is proposed. */
export const DEFAULT_FOLDER = "my-tillkit";

/**
 * Asks the user for each answer that the arguments do not contain.
 *
 * @returns `undefined` if the user cancelled.
 */
export async function ask(given: Arguments, running: PackageManagerName): Promise<Answers | undefined> {
  intro("Tillkit: a payment service in your own Node program");
  const folder =
    given.folder ??
    (await text({
      message: "Where to write the project?",
      placeholder: DEFAULT_FOLDER,
      defaultValue: DEFAULT_FOLDER,
      validate: (value) => folderProblem(value || DEFAULT_FOLDER),
    }));
  if (isCancel(folder)) {
    sayNothingWritten();
    return undefined;
  }
  const framework =
    given.framework ??
    (await select({
      message: "Which framework?",
      options: FRAMEWORK_NAMES.map((value) => ({ value, label: FRAMEWORKS[value].label })),
    }));
  if (isCancel(framework)) {
    sayNothingWritten();
    return undefined;
  }
  const packageManager =
    given.packageManager ??
    (await select({
      message: "Which package manager?",
      initialValue: running,
      options: PACKAGE_MANAGER_NAMES.map((value) => ({ value, label: value })),
    }));
  if (isCancel(packageManager)) {
    sayNothingWritten();
    return undefined;
  }
  return { folder, framework, packageManager };
}

function sayNothingWritten(): void {
  cancel("Nothing was written.");
}
