import { createHash } from "node:crypto";
import * as z from "zod";
import { blocksOf } from "./blocks.js";

/** The folder of the Chinese pages, relative to the repository. */
export const CHINESE_PAGES = "docs/zh/";

/** The members of a translation's front matter that describe its source. */
const frontMatter = z.object({ translationOf: z.string(), sourceSha256: z.string() });

/** The pages of the documentation. */
export interface Pages {
  /** Returns the text of a page, or `undefined` if it does not exist. */
  readonly read: (path: string) => string | undefined;
  /** The translations that exist. */
  readonly translations: readonly string[];
  /** The pages that must have a translation. */
  readonly required: readonly string[];
  /** The pages that must have a translation if they exist. */
  readonly requiredLater: readonly string[];
}

/** Returns the path of the translation of a page. */
export function translationOf(page: string): string {
  return CHINESE_PAGES + page.replace(/^docs\//u, "");
}

/** Returns the path of the page that a translation translates. */
export function sourceOf(translation: string): string {
  const page = translation.slice(CHINESE_PAGES.length);
  // `docs/zh/README.md` translates the README of the repository.
  return ["README.md", "SECURITY.md"].includes(page) ? page : `docs/${page}`;
}

/** Returns the digest of a page for the front matter of its translation. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Returns the members of a translation's front matter, or `undefined` if they are missing. */
function sourceStatedIn(translation: string): z.infer<typeof frontMatter> | undefined {
  const lines = /^---\n(.*?)^---\n/msu.exec(translation)?.[1]?.matchAll(/^(\w+): *(\S+)$/gmu) ?? [];
  return frontMatter.safeParse(Object.fromEntries([...lines].map(([, name, value]) => [name, value]))).data;
}

/** Returns what is wrong with the translations, one text per problem. */
export function translationProblems(pages: Pages): readonly string[] {
  const due = [...pages.required, ...pages.requiredLater.filter((page) => pages.read(page) !== undefined)];
  const missing = due
    .filter((page) => !pages.translations.includes(translationOf(page)))
    .map((page) => `${translationOf(page)} is missing: ${page} must have a translation`);
  return [...missing, ...pages.translations.flatMap((path) => problemsOf(path, pages))];
}

function problemsOf(path: string, { read }: Pages): readonly string[] {
  const text = read(path) ?? "";
  const source = sourceOf(path);
  const original = read(source);
  if (original === undefined) return [`${path} translates ${source}, which does not exist`];
  const stated = sourceStatedIn(text);
  if (stated?.translationOf !== source) {
    return [`${path}: the front matter needs "translationOf: ${source}" and "sourceSha256: …"`];
  }
  return [
    ...(stated.sourceSha256 === digestOf(original) ? [] : [stale(path, source)]),
    ...differentBlocks(path, text, source, original),
  ];
}

function stale(path: string, source: string): string {
  return [
    `${path} is older than ${source}. To see what changed since the translation:`,
    `    git log --patch $(git log -1 --format=%h -G sourceSha256 -- ${path}).. -- ${source}`,
    "  Mend the translation, then run:",
    `    npm run docs -- zh --accept ${path}`,
  ].join("\n");
}

/** The texts of diagrams are translated, so only their number must be equal. */
function differentBlocks(path: string, text: string, source: string, original: string): readonly string[] {
  const [ours, theirs] = [blocksOf(text), blocksOf(original)];
  if (ours.length !== theirs.length) {
    return [`${path} has ${ours.length} code blocks, and ${source} has ${theirs.length}`];
  }
  return ours.flatMap((block, index) => {
    const other = theirs[index];
    const equal = block.language === other?.language && (isDiagram(block) || block.code === other.code);
    return equal ? [] : [`${path}:${block.line}: the code block differs from ${source}:${other?.line}`];
  });
}

function isDiagram({ language }: { readonly language: string }): boolean {
  return language === "mermaid";
}
