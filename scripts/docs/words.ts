// Counts the words of the hand-written English Markdown, split at white space, by folder.
// Leaves out the generated pages, the Chinese pages and bench.
import { readFileSync } from "node:fs";
import { root } from "@tillkit/repository";
import { readGenerated, repositoryFiles } from "../lib/repository-files.js";

const GOAL = 85_000;
const NOT_COUNTED = ["bench/", "docs/zh/"];

const isGenerated = readGenerated();
const counted = repositoryFiles().filter(
  (path) =>
    path.endsWith(".md") && !NOT_COUNTED.some((folder) => path.startsWith(folder)) && !isGenerated(path),
);
const folders = new Map<string, number>();
for (const path of counted) {
  const folder = /^(?:docs\/[^/]+|[^/]+)(?=\/)/u.exec(path)?.[0] ?? "(root)";
  folders.set(folder, (folders.get(folder) ?? 0) + wordsOf(path));
}
const total = [...folders.values()].reduce((sum, words) => sum + words, 0);
for (const [folder, words] of [...folders].sort(([, a], [, b]) => b - a)) print(words, folder);
print(total, `in all, of at most ${GOAL.toLocaleString("en")}`);

function wordsOf(path: string): number {
  return readFileSync(root + path, "utf8")
    .split(/\s+/u)
    .filter(Boolean).length;
}

function print(words: number, text: string): void {
  console.log(`${words.toLocaleString("en").padStart(8)}  ${text}`);
}
