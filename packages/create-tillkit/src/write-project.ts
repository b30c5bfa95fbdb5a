import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { FRAMEWORKS, type FrameworkName } from "./frameworks.js";
import { packageJson } from "./package-json.js";
import { PACKAGE_MANAGERS, type PackageManager, type PackageManagerName } from "./package-managers.js";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/** What a project is made from. */
export interface Answers {
  /** The folder to write to, relative to the working directory or absolute. */
  readonly folder: string;
  readonly framework: FrameworkName;
  readonly packageManager: PackageManagerName;
}

/** Returns the version of this package, which all packages of Tillkit share. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "0.0.0";
}

/** Returns why a project cannot be written to the folder, or `undefined`. */
export function folderProblem(folder: string): string | undefined {
  if (!/^[a-z0-9][a-z0-9._-]{0,100}$/u.test(projectName(folder)))
    return "The name of the folder is the name of the package: use lower-case letters, digits, -, _ and dots.";
  if (existsSync(folder) && readdirSync(folder).length > 0)
    return `The folder ${folder} is not empty. Choose another name, or empty the folder first.`;
  return undefined;
}

/** Writes the project. The folder must be new or empty. */
export async function writeProject({ folder, framework, packageManager }: Answers): Promise<void> {
  const name = projectName(folder);
  const { runner, server, restart, envFile, client, command } = FRAMEWORKS[framework];
  await mkdir(folder, { recursive: true });
  for (const part of ["shared", framework])
    await cp(join(PACKAGE, "template", part), folder, { recursive: true });
  // npm leaves `.gitignore` out of a package, so the template calls it `gitignore`.
  await rename(join(folder, "gitignore"), join(folder, ".gitignore"));
  await writeFile(join(folder, "package.json"), packageJson(name, framework, packageVersion()));
  const manager: PackageManager = PACKAGE_MANAGERS[packageManager];
  const { settings, ...commands } = manager;
  if (settings !== undefined) await writeFile(join(folder, settings.file), settings.text);
  const values = {
    name,
    server,
    restart,
    envFile,
    client,
    section: await ownPageSection(folder),
    command: JSON.stringify(command).replaceAll(",", ", "),
    ...commands,
  };
  for (const file of ["README.md", "Dockerfile", "compose.yaml"])
    await edit(join(folder, file), (text) => filled(text, values));
  if (runner === "jest")
    for (const file of await readdir(join(folder, "test")))
      await edit(join(folder, "test", file), (text) => text.replace('from "vitest"', 'from "@jest/globals"'));
}

function projectName(folder: string): string {
  return basename(resolve(folder));
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, "utf8")));
}

/**
 * Returns a section of the README that shows the code of a sample page. Empty without such a page.
 *
 * Deletes the copied files of the sample: the project gets the page only if the user pastes it.
 */
async function ownPageSection(folder: string): Promise<string> {
  const source = join(folder, "own-page");
  if (!existsSync(source)) return "";
  const blocks = ["layout.tsx", "month/page.tsx"].map(
    (file) => `\`\`\`tsx\n// src/app/${file}\n${readFileSync(join(source, file), "utf8")}\`\`\`\n`,
  );
  await rm(source, { recursive: true });
  return [
    "## A page of your own\n",
    "With these two files, http://127.0.0.1:3000/month sells a month and shows whether it is paid:\n",
    ...blocks,
    "In development, pay for what the page shows:\n",
    "```sh",
    `curl -s localhost:3001/sandbox/pay -d '{"payload":{"code_url":"weixin://…"}}'`,
    "```\n",
    "If you delete a page, delete `.next` before the next build. `next start --hostname` sets the address that",
    "the server listens on.\n",
    "",
  ].join("\n");
}

/** Replaces each `{{name}}` by its value. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/gu, (_match, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`The template has no value for ${key}.`);
    return value;
  });
}
