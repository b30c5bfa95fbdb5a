import { readFile } from "node:fs/promises";
import type { RowResult } from "./result.js";
import { targetOutcomes } from "./target-outcomes.js";

/** The page that explains why a row misses its target. */
const PROFILE = new URL("../../../docs/internals/performance.md", import.meta.url);

/** The anchors of the sections that explain rows, by the names of the rows. */
export type ProfileSections = ReadonlyMap<string, string>;

/** Reads the sections of the page about performance. */
export async function readProfileSections(): Promise<ProfileSections> {
  return profileSections(await readFile(PROFILE, "utf8"));
}

/**
 * Returns the anchors of all sections whose heading contains names of rows as code.
 *
 * @param page - the text of the page, in Markdown.
 */
export function profileSections(page: string): ProfileSections {
  const headings = [...page.matchAll(/^#{2,6} (.*)$/gmu)].map(([, heading = ""]) => heading);
  return new Map(
    headings.flatMap((heading) =>
      [...heading.matchAll(/`([^`]+)`/gu)].map(([, row = ""]) => [row, anchorOf(heading)] as const),
    ),
  );
}

/** Returns the anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

/** Returns the names of rows that miss a target without a section that explains why. */
export function unexplainedRows(
  results: readonly Pick<RowResult, "name" | "played" | "targets">[],
  sections: ProfileSections,
): readonly string[] {
  return results
    .filter(({ name, played, targets }) => {
      const missed = targetOutcomes(played, targets).some(({ met }) => !met);
      return missed && !sections.has(name);
    })
    .map(({ name }) => name);
}
