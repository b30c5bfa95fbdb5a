// Builds the documentation site into scripts/site/dist. With `--dev`, serves it and reloads changed
// pages. `--base /path/` is the path of the site on its server.
import { readdirSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { root, secondsSince } from "@tillkit/repository";
import { build, createServer } from "vitepress";
import * as z from "zod";
import { writeApiReference } from "./api-reference.js";
import { deadAnchors } from "./dead-anchors.js";
import { missingLanguageLinks } from "./language-links.js";
import { publicFolder } from "./public-folder.js";
import { unanswered } from "./search-questions.js";
import type { Locale } from "./texts.js";

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
  console.log("The API reference comes from the last build.");
} else {
  await writeApiReference(`${publicFolder}api`, values.base);
  console.log(`API reference in ${secondsSince(began)} s`);
  await build(site, { base: values.base });
  const pages = builtPages();
  const indexes = { root: await searchIndexOf("root"), zh: await searchIndexOf("zh") };
  const problems = [
    ...deadAnchors(pages),
    ...missingLanguageLinks(pages, values.base),
    ...unanswered(indexes, values.base),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  console.log(`scripts/site/dist in ${secondsSince(began)} s`);
}

/** Returns the HTML of the pages by their addresses, without the API reference. */
function builtPages(): ReadonlyMap<string, string> {
  const files = readdirSync(`${site}/dist`, { recursive: true, encoding: "utf8" });
  return new Map(
    files
      .filter((file) => file.endsWith(".html") && !file.startsWith("api/"))
      .map((file) => [values.base + file, readFileSync(`${site}/dist/${file}`, "utf8")]),
  );
}

/** Returns the search index of a locale, as JSON. */
async function searchIndexOf(locale: Locale): Promise<string> {
  const chunks = `${site}/dist/assets/chunks/`;
  const name = readdirSync(chunks).find((file) => file.startsWith(`@localSearchIndex${locale}.`));
  const module: unknown = await import(`${chunks}${name ?? ""}`);
  return z.object({ default: z.string() }).parse(module).default;
}
