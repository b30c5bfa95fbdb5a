import { spawn } from "node:child_process";
import { once } from "node:events";
import { ask, DEFAULT_FOLDER } from "./ask.js";
import { PACKAGE_MANAGERS, runningPackageManager } from "./package-managers.js";
import { type Arguments, readArguments, USAGE } from "./read-arguments.js";
import { type Answers, folderProblem, packageVersion, writeProject } from "./write-project.js";

/** The terminal and the environment of the program. */
export interface Io {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Whether a person can answer questions. */
  readonly isInteractive: boolean;
  /** The environment variable `npm_config_user_agent`, which names the package manager. */
  readonly userAgent: string | undefined;
}

/** Runs the program. Returns its exit code: 0, 1 after a failure, 2 for wrong arguments. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let given: Arguments;
  try {
    given = readArguments(args);
  } catch (problem) {
    io.printError(`${problem instanceof Error ? problem.message : String(problem)} See --help.`);
    return 2;
  }
  if (given.shows !== undefined) {
    io.print(given.shows === "help" ? USAGE : packageVersion());
    return 0;
  }
  const problem = given.folder === undefined ? undefined : folderProblem(given.folder);
  if (problem !== undefined) return refuse(io, problem);
  const answers = await answersOf(given, io);
  if (typeof answers === "string") return refuse(io, answers);
  if (answers === undefined) return 1;
  const late = folderProblem(answers.folder);
  if (late !== undefined) return refuse(io, late);
  await writeProject(answers);
  if (given.install && !(await install(answers))) {
    return refuse(
      io,
      `The project is written, but the packages could not be installed. ${nextSteps(answers, false)}`,
    );
  }
  io.print(`The project is in ${answers.folder}. ${nextSteps(answers, given.install)}`);
  return 0;
}

function refuse({ printError }: Io, problem: string): number {
  printError(problem);
  return 1;
}

/** Returns the answers, an error message for the user, or `undefined` if the user cancelled. */
async function answersOf(given: Arguments, io: Io): Promise<Answers | string | undefined> {
  const running = runningPackageManager(io.userAgent);
  if (io.isInteractive && !given.yes) return ask(given, running);
  const { folder = given.yes ? DEFAULT_FOLDER : undefined } = given;
  if (folder === undefined)
    return "There is no terminal to ask in. Name the folder, such as `npm create tillkit my-shop`, or add --yes.";
  const { framework = "node", packageManager = running } = given;
  return { folder, framework, packageManager };
}

/** Installs the packages of the project, and shows the output. Returns whether it succeeded. */
async function install({ folder, packageManager }: Answers): Promise<boolean> {
  // On Windows the package managers are scripts, which only a shell starts.
  const shell = process.platform === "win32";
  const child = spawn(packageManager, ["install"], { cwd: folder, stdio: "inherit", shell });
  try {
    await once(child, "close");
    return child.exitCode === 0;
  } catch {
    return false;
  }
}

function nextSteps({ folder, packageManager }: Answers, isInstalled: boolean): string {
  const { install: installs, run: runs, test: tests } = PACKAGE_MANAGERS[packageManager];
  const steps = [`cd ${folder}`, ...(isInstalled ? [] : [installs]), tests, `${runs} dev`];
  const list = steps.map((step) => `  ${step}\n`).join("");
  return `Next:\n\n${list}\nA warning of ${packageManager} about install scripts needs no action.\n`;
}
