import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The files of the bundled host of a guide. */
export interface GuideHost {
  /** The path of the bundle. */
  readonly bundle: string;
  /** The path of the launcher beside the bundle. It stores the compiled code of the bundle. */
  readonly launcher: string;
}

/**
 * Bundles the host of the guide `page` as the guide says.
 *
 * Writes the guide's program to `folder` and runs the guide's esbuild command there. Writes the
 * guide's launcher beside the bundle. If `folder` has no `node_modules`, it gets those of this
 * repository.
 *
 * @param options - further options of esbuild, such as `--conditions=@tillkit/source`.
 */
export async function bundleGuideHost(
  page: URL,
  folder: string,
  options: readonly string[] = [],
): Promise<GuideHost> {
  const text = await readFile(page, "utf8");
  const [, program] = /^```ts run\n(.*?)^```$/msu.exec(text) ?? [];
  const [, command, bundle] = /^npx (esbuild .*--outfile=(\S+).*)$/mu.exec(text) ?? [];
  const [, launcherName, launcher] = /^```js\n\/\/ (\S+)\n(.*?)^```$/msu.exec(text) ?? [];
  if (program === undefined || command === undefined || bundle === undefined)
    throw new Error(`${page.pathname} has no program or no esbuild command.`);
  if (launcherName === undefined || launcher === undefined)
    throw new Error(`${page.pathname} has no launcher.`);
  const nodeModules = fileURLToPath(new URL("../../node_modules", page));
  await mkdir(folder, { recursive: true });
  if (!existsSync(join(folder, "node_modules")))
    await symlink(nodeModules, join(folder, "node_modules"), "dir");
  await writeFile(join(folder, "host.ts"), program);
  const line = [`node_modules/.bin/${command}`, "--log-level=error", ...options].join(" ");
  await promisify(execFile)("sh", ["-c", line], { cwd: folder });
  const files = { bundle: join(folder, bundle), launcher: join(folder, launcherName) };
  await writeFile(files.launcher, launcher);
  return files;
}
