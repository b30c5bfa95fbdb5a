import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { root, runOrThrow, withTemporaryFolder } from "@tillkit/repository";
import { accepted } from "./accepted.js";
import { digestOf, type Pages, sourceOf, translationOf, translationProblems } from "./problems.js";
import { FUTURE_TRANSLATED_PAGES, TRANSLATED_PAGES } from "./required.js";

const ENGLISH =
  "# Refunds\n\nRun it:\n\n```sh\nnpx tillkit orders\n```\n\n```mermaid\nflowchart LR\n  a[Order]\n```\n";
const CHINESE = ENGLISH.replace("Refunds", "退款").replace("Run it:", "执行:").replace("Order", "订单");
const PAGE = "docs/guide/refunds.md";
const TRANSLATION = "docs/zh/guide/refunds.md";

/** Returns the problems of a repository with these pages. */
function problemsOf(
  files: Readonly<Record<string, string>>,
  required: Partial<Pick<Pages, "required" | "requiredLater">> = {},
): readonly string[] {
  return translationProblems({
    read: (path) => files[path],
    translations: Object.keys(files).filter((path) => path.startsWith("docs/zh/")),
    required: [],
    requiredLater: [],
    ...required,
  });
}

const translated = { [PAGE]: ENGLISH, [TRANSLATION]: accepted(CHINESE, PAGE, ENGLISH) };

it("the check accepts a translation that states the digest of its source", () => {
  expect(problemsOf(translated, { required: [PAGE] })).toEqual([]);
});

it("the check names a translation that is older than its source, and the commands that mend it", () => {
  const [problem, ...others] = problemsOf({ ...translated, [PAGE]: `${ENGLISH}\nMore.\n` });
  expect(others).toEqual([]);
  expect(problem).toContain(`${TRANSLATION} is older than ${PAGE}`);
  expect(problem).toContain(`-- ${PAGE}`);
  expect(problem).toContain(`npm run docs -- zh --accept ${TRANSLATION}`);
});

it("the check accepts the translation again once it states the new digest", () => {
  const changed = `${ENGLISH}\nMore.\n`;
  const mended = accepted(translated[TRANSLATION], PAGE, changed);
  expect(problemsOf({ [PAGE]: changed, [TRANSLATION]: mended })).toEqual([]);
});

it("the check names a required page without a translation", () => {
  expect(problemsOf({ [PAGE]: ENGLISH }, { required: [PAGE] })).toEqual([
    `${TRANSLATION} is missing: ${PAGE} must have a translation`,
  ]);
});

it("the check requires the translation of a future page as soon as the page exists", () => {
  expect(problemsOf({}, { requiredLater: [PAGE] })).toEqual([]);
  expect(problemsOf({ [PAGE]: ENGLISH }, { requiredLater: [PAGE] })).toHaveLength(1);
});

it.each([
  ["no front matter", CHINESE],
  ["another source", accepted(CHINESE, "docs/guide/payments.md", ENGLISH)],
  ["no digest", `---\ntranslationOf: ${PAGE}\n---\n\n${CHINESE}`],
])("the check names a translation with %s", (_what, text) => {
  expect(problemsOf({ [PAGE]: ENGLISH, [TRANSLATION]: text })).toEqual([
    `${TRANSLATION}: the front matter needs "translationOf: ${PAGE}" and "sourceSha256: …"`,
  ]);
});

it("the check names a translation without a source", () => {
  expect(problemsOf({ [TRANSLATION]: CHINESE })).toEqual([
    `${TRANSLATION} translates ${PAGE}, which does not exist`,
  ]);
});

it.each([
  [
    "changed",
    CHINESE.replace("npx tillkit", "npx  tillkit"),
    [`${TRANSLATION}:10: the code block differs from ${PAGE}:5`],
  ],
  [
    "marked differently",
    CHINESE.replace("```sh", "```bash"),
    [`${TRANSLATION}:10: the code block differs from ${PAGE}:5`],
  ],
  [
    "missing",
    CHINESE.replace(/```sh.*?```\n/su, ""),
    [`${TRANSLATION} has 1 code blocks, and ${PAGE} has 2`],
  ],
])("the check names a code block that is %s", (_what, text, problems) => {
  expect(problemsOf({ [PAGE]: ENGLISH, [TRANSLATION]: accepted(text, PAGE, ENGLISH) })).toEqual(problems);
});

it("`accepted` keeps the other members of the front matter", () => {
  const page = "---\ntitle: 退款\nsourceSha256: 00\n---\n\n# 退款\n";
  expect(accepted(page, PAGE, ENGLISH)).toBe(
    `---\ntranslationOf: ${PAGE}\nsourceSha256: ${digestOf(ENGLISH)}\ntitle: 退款\n---\n\n# 退款\n`,
  );
});

it("the README of the Chinese pages translates the README of the repository", () => {
  expect(translationOf("README.md")).toBe("docs/zh/README.md");
  expect(
    [...TRANSLATED_PAGES, ...FUTURE_TRANSLATED_PAGES].map((page) => sourceOf(translationOf(page))),
  ).toEqual([...TRANSLATED_PAGES, ...FUTURE_TRANSLATED_PAGES]);
});

it("TRANSLATED_PAGES has only pages that exist", () => {
  expect(TRANSLATED_PAGES.filter((page) => !existsSync(root + page))).toEqual([]);
});

it("the check prints a command that shows what changed since the translation", async () => {
  const changed = `${ENGLISH}\nThis is new.\n`;
  const [problem = ""] = problemsOf({ ...translated, [PAGE]: changed });
  const command = /^ {4}(git .+)$/mu.exec(problem)?.[1];
  await withTemporaryFolder(async (folder) => {
    const commit = async (files: Readonly<Record<string, string>>) => {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(`${folder}/${path}`), { recursive: true });
        await writeFile(`${folder}/${path}`, text);
      }
      await runOrThrow("git", ["add", "."], folder);
      const author = ["-c", "user.name=Kim", "-c", "user.email=kim@example.com"];
      await runOrThrow("git", [...author, "commit", "--quiet", "--message=Change pages"], folder);
    };
    await runOrThrow("git", ["init", "--quiet"], folder);
    const older = ENGLISH.replace("Run it:", "Type:");
    await commit({ [PAGE]: older, [TRANSLATION]: accepted(CHINESE, PAGE, older) });
    await commit(translated);
    await commit({ [PAGE]: changed });
    const log = await runOrThrow("bash", ["-c", command ?? "exit 1"], folder);
    expect(log).toContain("+This is new.");
    expect(log).not.toContain("Type:");
  });
});
