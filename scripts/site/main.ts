// Builds the documentation site into scripts/site/dist. With `--dev`, serves it and follows changes
// of the pages. `--base /path/` is the path of the site on its server.
import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { root, secondsSince } from "@tillkit/repository";
import { build, createServer } from "vitepress";
import { writeApiReference } from "./api-reference.js";
import { publicFolder } from "./public-folder.js";

const { values } = parseArgs({
  options: { dev: { type: "boolean", default: false }, base: { type: "string", default: "/" } },
});
const site = `${root}scripts/site`;
const began = performance.now();
if (values.dev) {
  await mkdir(publicFolder, { recursive: true });
  const server = await createServer(site, { base: values.base });
  await server.listen();
  server.printUrls();
  console.log("The API reference is the one of the last build.");
} else {
  await writeApiReference(`${publicFolder}api`, "../");
  console.log(`API reference in ${secondsSince(began)} s`);
  await build(site, { base: values.base });
  console.log(`scripts/site/dist in ${secondsSince(began)} s`);
}
