import { readdirSync, readFileSync } from "node:fs";
import { publishablePackages, root } from "@tillkit/repository";
import type { DocPage } from "./pages.js";

const DOC_COMMENT = /^[ \t]*\/\*\*.*?\*\//gmsu;

/** Returns the doc comments of every published source that has a code block in one of them. */
export function docComments(): readonly DocPage[] {
  return publishablePackages()
    .flatMap(({ path }) =>
      readdirSync(`${path}/src`, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
        .map((file) => `${path}/src/${file}`),
    )
    .map((file) => ({ path: file.slice(root.length), text: commentsIn(readFileSync(file, "utf8")) }))
    .filter(({ text }) => text.includes("```"))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the text of the doc comments of a source, each line at its place in the source. */
export function commentsIn(source: string): string {
  let end = 0;
  const parts = [...source.matchAll(DOC_COMMENT)].flatMap(({ 0: comment, index }) => {
    const between = emptyLines(source.slice(end, index));
    end = index + comment.length;
    return [between, comment.replace(/^[ \t]*(?:\/\*\*|\*\/|\*(?!\/)) ?/gmu, "")];
  });
  return parts.join("");
}

function emptyLines(text: string): string {
  return text.replace(/[^\n]+/gu, "");
}
