// Writes docs/reference from the sources; with `--check` it only says which files are stale.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { root } from "../lib/packages.js";
import { reference } from "./reference.js";
import { staleFiles } from "./stale-files.js";

const folder = `${root}docs/reference`;
const files = reference();
const stale = staleFiles(folder, files);

if (process.argv.includes("--check")) {
  for (const file of stale) console.error(`docs/reference/${file} is stale`);
  if (stale.length > 0) console.error("Run `npm run docs` and commit the result.");
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  mkdirSync(folder, { recursive: true });
  for (const file of stale) {
    const content = files.get(file);
    if (content === undefined) rmSync(`${folder}/${file}`, { recursive: true });
    else writeFileSync(`${folder}/${file}`, content);
    console.log(`${content === undefined ? "removed" : "wrote"} docs/reference/${file}`);
  }
  if (stale.length === 0) console.log("docs/reference is up to date");
}
