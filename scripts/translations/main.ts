// Checks that every Chinese page translates the current text of its English source. `--accept
// PAGE…` records this in the front matter of the pages.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { root } from "@tillkit/repository";
import { accepted } from "./accepted.js";
import { CHINESE_PAGES, sourceOf, translationProblems } from "./problems.js";
import { FUTURE_TRANSLATED_PAGES, TRANSLATED_PAGES } from "./required.js";

const { values, positionals } = parseArgs({
  options: { accept: { type: "boolean", default: false } },
  allowPositionals: true,
});
if (values.accept) {
  if (positionals.length === 0)
    throw new Error("Name the pages: npm run docs -- zh --accept docs/zh/PAGE.md");
  for (const page of positionals) {
    const source = sourceOf(page);
    const file = root + page;
    writeFileSync(file, accepted(readFileSync(file, "utf8"), source, readFileSync(root + source, "utf8")));
    console.log(`${page} now states the digest of ${source}`);
  }
} else {
  const problems = translationProblems({
    read: (path) => (existsSync(root + path) ? readFileSync(root + path, "utf8") : undefined),
    translations: readdirSync(root + CHINESE_PAGES, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .map((file) => CHINESE_PAGES + file)
      .sort(),
    required: TRANSLATED_PAGES,
    requiredLater: FUTURE_TRANSLATED_PAGES,
  });
  for (const problem of problems) console.error(problem);
  if (problems.length === 0) console.log("Every Chinese page is as new as its source");
  process.exitCode = problems.length === 0 ? 0 : 1;
}
