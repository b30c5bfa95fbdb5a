import { commandHelp } from "tillkit";
import { describe, expect, it } from "vitest";
import { GUIDES, guideRows } from "./guide.js";
import { INCIDENTS } from "./incidents/index.js";

const rowsOf = (file: (typeof GUIDES)[number]) =>
  guideRows(file).map((row, nth) => ({ row, incident: INCIDENTS[nth] }));
const [ENGLISH] = GUIDES;

it("the guide has a row for each incident, in the order of the rehearsals", () => {
  expect(guideRows(ENGLISH).map(({ incident }) => incident)).toEqual(INCIDENTS.map(({ name }) => name));
});

describe.each(GUIDES)("%s", (file) => {
  it("has one row for each incident, each with a remedy", () => {
    const rows = guideRows(file);
    expect(rows).toHaveLength(INCIDENTS.length);
    for (const { incident, remedy } of rows) expect(remedy, incident).not.toBe("");
  });

  it("names every alert that may be the first signal, and no other", () => {
    for (const { row, incident } of rowsOf(file)) {
      const named = [...row.signal.matchAll(/`(Tillkit\w+)`/g)].map(([, name]) => name);
      expect(named.toSorted(), row.incident).toEqual([...(incident?.alerts ?? [])].toSorted());
    }
  });

  it("names what shows the cause", () => {
    for (const { row, incident } of rowsOf(file)) {
      const cause = incident?.cause ?? { log: "" };
      expect(row.look, row.incident).toContain(`\`${"log" in cause ? cause.log : cause.command}\``);
    }
  });

  it("names only commands that exist", () => {
    const commands = new Set(commandHelp().map(({ command }) => command));
    for (const { look, remedy } of guideRows(file))
      for (const [, command] of `${look} ${remedy}`.matchAll(/`(tillkit [a-z -]+?)(?: --[a-z-]+)?`/g))
        expect(commands).toContain(command);
  });
});
