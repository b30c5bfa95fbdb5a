import { describe, expect, it } from "vitest";
import { profileSections, readProfileSections, unexplainedRows } from "./profile-sections.js";
import { readResults } from "./write-results.js";

const rounds = [{ perSecond: 100, p50: 1, p99: 1 }];
const played = [
  { name: "ours", role: "ours", rounds },
  { name: "other", role: "limit", rounds },
] as const;
const row = (name: string, atLeast: number) => {
  return { name, played, targets: [{ kind: "speed", than: "other", atLeast } as const] };
};

describe("the sections that explain missed targets", () => {
  it("are found by the names of rows in their headings", () => {
    const page = "## `none of it` x\n\n### `notify` and `notify-a`: bursts of notifications\n\nA `start`.\n";
    expect(profileSections(page).get("notify-a")).toBe("notify-and-notify-a-bursts-of-notifications");
    expect(profileSections(page).has("start")).toBe(false);
  });

  it("are required for every row that misses a target", () => {
    const sections = new Map([["detail", "detail"]]);
    const rows = [row("detail", 2), row("start", 2), row("check", 1)];
    expect(unexplainedRows(rows, sections)).toEqual(["start"]);
  });

  it("exist for every stored result", async () => {
    const results = await readResults();
    expect(results.length).toBeGreaterThan(0);
    expect(unexplainedRows(results, await readProfileSections())).toEqual([]);
  });
});
