import { readFileSync } from "node:fs";
import { root } from "@tillkit/repository";

/** One row of the guide. The texts are Markdown. */
export interface GuideRow {
  readonly incident: string;
  readonly signal: string;
  readonly look: string;
  readonly remedy: string;
}

/** The guide in both languages. */
export const GUIDES = [
  "docs/guide/when-something-goes-wrong.md",
  "docs/zh/guide/when-something-goes-wrong.md",
] as const;

/** Returns the rows of the tables of a guide. */
export function guideRows(file: (typeof GUIDES)[number]): readonly GuideRow[] {
  return readFileSync(`${root}${file}`, "utf8")
    .split("\n")
    .filter((line, at, lines) => /^\| (?!-)/.test(line) && lines[at + 1]?.startsWith("| -") !== true)
    .map((line) => {
      const [incident = "", signal = "", look = "", remedy = ""] = line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim());
      return { incident, signal, look, remedy };
    });
}
