// Checks the exports, types and files of every package as the registry would receive it.
import { readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { promisedFiles, publishablePackages, withTemporaryFolder } from "@tillkit/repository";
import { copyPackages } from "./lib/copy-packages.js";
import { ensureBuilt } from "./lib/ensure-built.js";
import { packAll, type Tarball } from "./lib/pack.js";

/** Ways to resolve a package that do not concern packages of ES modules. */
const IGNORED_RESOLUTIONS: readonly string[] = ["node10", "node16-cjs"];

/** Files that only source maps and the repository need. */
const NEEDLESS = /^src\/|\.map$|\.tsbuildinfo$/u;

const packages = publishablePackages();
await ensureBuilt(packages);
const findings = await withTemporaryFolder(async (folder) => {
  const tarballs = await packAll(await copyPackages(folder), folder);
  return Promise.all(tarballs.map(examine));
});
const width = Math.max(...packages.map(({ name }) => name.length));
for (const { name, files, publint, types, contents } of findings) {
  const columns = [
    `${files} files`.padStart(10),
    `publint ${mark(publint)}`,
    `types ${mark(types)}`,
    `contents ${mark(contents)}`,
  ];
  console.log(name.padEnd(width), columns.join("  "));
}
for (const { name, publint, types, contents } of findings) {
  for (const finding of [...publint, ...types, ...contents]) console.error(`${name}: ${finding}`);
}
process.exitCode = findings.some((one) => one.publint.length + one.types.length + one.contents.length > 0)
  ? 1
  : 0;

async function examine(tarball: Tarball) {
  const { name } = tarball.workspace;
  const files = tarball.files.length;
  return {
    name,
    files,
    publint: await lint(tarball),
    types: await wrongTypes(tarball),
    contents: [...wrongFiles(tarball), ...(await wrongImports(tarball))],
  };
}

async function lint({ file }: Tarball): Promise<readonly string[]> {
  const { buffer } = Uint8Array.from(await readFile(file));
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

async function wrongTypes({ file, workspace }: Tarball): Promise<readonly string[]> {
  if (Object.keys(workspace.exports).length === 0) return [];
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(file))));
  if (!analysis.types) return ["the package has no types"];
  return analysis.problems
    .filter((one) => !("resolutionKind" in one && IGNORED_RESOLUTIONS.includes(one.resolutionKind)))
    .map((one) => JSON.stringify(one));
}

function wrongFiles({ workspace, files }: Tarball): readonly string[] {
  const has = (path: string) => files.includes(path);
  return [
    ...["LICENSE", "README.md"].filter((file) => !has(file)).map((file) => `${file} is missing`),
    ...promisedFiles(workspace)
      .map((file) => file.slice("./".length))
      .filter((file) => !has(file))
      .map((file) => `${file} is promised and not in the tarball`),
    ...files
      .filter((file) => file.includes(".test.") && !file.startsWith("template/"))
      .map((file) => `${file} is a test`),
    ...files.filter((file) => NEEDLESS.test(file)).map((file) => `${file} is not for users`),
    ...Object.entries(workspace.exports)
      .filter(([, target]) => typeof target !== "string" && target["@tillkit/source"] !== undefined)
      .map(([entry]) => `exports["${entry}"] leads to a source, which is not published`),
  ];
}

/** Returns the built files that import a module of Node without `node:`. Deno does not find it. */
async function wrongImports({ workspace, files }: Tarball): Promise<readonly string[]> {
  const built = files.filter((file) => /^dist\/.*\.(?:js|d\.ts)$/u.test(file));
  const bare = new RegExp(
    `from ["'](?:${builtinModules.filter((name) => !name.includes(":")).join("|")})["']`,
    "u",
  );
  const texts = await Promise.all(built.map((file) => readFile(`${workspace.path}/${file}`, "utf8")));
  return built
    .filter((_file, index) => bare.test(texts[index] ?? ""))
    .map((file) => `${file} imports a module of Node without "node:"`);
}

function mark(problems: readonly string[]): string {
  return problems.length === 0 ? "ok" : `${problems.length} found`;
}
