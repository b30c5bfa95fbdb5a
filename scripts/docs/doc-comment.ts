import ts from "typescript";
import { publicFiles } from "@tillkit/repository";
import { code } from "./markdown.js";

/** One tag with its text, or the text before the first tag, whose tag is empty. */
interface Block {
  readonly tag: string;
  readonly text: string;
}

const FENCED = /(^```.*?^```[ \t]*$)/msu;
const TAG = /^@(\w+)[ \t]*/u;
const PARAMETER = /^(\S+)\s*(?:-\s+)?(.*)$/su;
/** The start of a line that stays separate: a list item, a row of a table, or a quote. */
const OWN_LINE = /^\s*(?:[-*+] |\d+\. |[|>])/u;
const INLINE_LINK = /\{@link\s+([^\s|}]+)\s*\|?\s*([^}]*)\}/gu;

/** The order of the tags on a page, and the words before the text of each tag. */
const TAGS: readonly (readonly [tag: string, show: (text: string) => string])[] = [
  ["", (text) => text],
  ["remarks", (text) => text],
  ["deprecated", (text) => `Deprecated: ${text}`],
  ["param", (text) => text.replace(PARAMETER, (_, name: string, rest: string) => `- ${code(name)}: ${rest}`)],
  ["defaultValue", (text) => `Default: ${text}`],
  ["returns", (text) => `Returns ${text}`],
  ["throws", (text) => `Throws ${text}`],
  ["example", (text) => `Example:\n\n${text}`],
  ["see", (text) => `See ${text.replace(/\.$/u, "")}.`],
];

/**
 * Returns the doc comment of a declaration as Markdown, or an empty text.
 *
 * Keeps paragraphs, lists, tables and code. Shows the tags in a fixed order, after the text. Throws
 * if the comment has a tag that it does not know. A `{@link}` to a name becomes code.
 */
export function docOf(node: ts.Node): string {
  const blocks = blocksOf(commentOf(node));
  const unknown = blocks.find(({ tag }) => !TAGS.some(([known]) => known === tag));
  if (unknown !== undefined) throw new Error(`The reference cannot show the tag @${unknown.tag}`);
  const sections = TAGS.map(([tag, show]) => {
    const shown = blocks
      .filter((block) => block.tag === tag && block.text !== "")
      .map(({ text }) => show(text));
    return shown.join(tag === "param" ? "\n" : "\n\n");
  });
  return outsideCode(sections.filter((section) => section !== "").join("\n\n"), (text) =>
    linked(unwrapped(text)),
  );
}

/** Returns the doc comment of a declaration as it is written. */
function commentOf(node: ts.Node): string {
  const comments = ts.getJSDocCommentsAndTags(node).filter((comment) => ts.isJSDoc(comment));
  return comments.map((comment) => comment.getText()).join("\n");
}

/** Replaces each `{@link}` in source code, where Markdown links do not work, by plain text. */
export function withPlainLinks(source: string): string {
  return source.replace(INLINE_LINK, (_, target: string, label: string) => {
    if (!isAddress(target)) return label === "" ? code(target) : label.trim();
    const page = target.replace(publicFiles, "");
    return label === "" ? page : `${label.trim()} (${page})`;
  });
}

function blocksOf(comment: string): readonly Block[] {
  const text = comment
    .replace(/^\/\*\*|\*\/$/gu, "")
    .replace(/^[ \t]*\*[ \t]?/gmu, "")
    .trim();
  const blocks: Block[] = [{ tag: "", text: "" }];
  // Code stays in one piece, because a decorator in an example is not a tag.
  for (const part of text
    .split(FENCED)
    .flatMap((part, index) => (index % 2 === 1 ? [part] : part.split(/^/mu)))) {
    const tag = TAG.exec(part)?.[1];
    const last = blocks.at(-1) ?? { tag: "", text: "" };
    if (tag !== undefined) blocks.push({ tag, text: part.replace(TAG, "") });
    else blocks.splice(-1, 1, { ...last, text: last.text + part });
  }
  return blocks.map(({ tag, text }) => ({ tag, text: text.trim() }));
}

/** Applies `change` to the parts of `markdown` outside code blocks. */
function outsideCode(markdown: string, change: (text: string) => string): string {
  const parts = markdown.split(FENCED);
  return parts.map((part, index) => (index % 2 === 1 ? part : change(part))).join("");
}

/** Joins the lines of each paragraph and each list item. */
function unwrapped(text: string): string {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const previous = lines.at(-1)?.trimEnd() ?? "";
    if (previous === "" || line.trim() === "" || OWN_LINE.test(line)) lines.push(line);
    else lines.splice(-1, 1, `${previous} ${line.trim()}`);
  }
  return lines.join("\n");
}

/** Replaces each `{@link}` by a Markdown link. A link to a page of `docs` gets a relative path. */
function linked(text: string): string {
  return text.replace(INLINE_LINK, (_, target: string, label: string) => {
    if (!isAddress(target)) return label.trim() === "" ? code(target) : label.trim();
    const shown = label.trim() === "" ? target : label.trim();
    return `[${shown}](${target.replace(`${publicFiles}docs/`, "../")})`;
  });
}

function isAddress(target: string): boolean {
  return /^https?:/u.test(target);
}
