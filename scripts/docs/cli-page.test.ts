import { commandHelp } from "tillkit";
import { expect, it } from "vitest";
import { cliPage } from "./cli-page.js";

const commands = commandHelp();
const sections = new Map(
  cliPage()
    .split("\n## ")
    .map((section) => [section.split("\n")[0] ?? "", section] as const),
);
const common = sections.get("Common options") ?? "";

it("the page describes once each option that many commands have", () => {
  expect(common.match(/^--database-url <url> {2}PostgreSQL server, .*\(or DATABASE_URL\)$/gmu)).toHaveLength(
    1,
  );
  expect(cliPage().match(/PostgreSQL server, postgres:/gu)).toHaveLength(1);
  expect(sections.get("tillkit migrate")).toContain(
    "\nCommon options: --json, --database-url, --data-dir, --schema\n",
  );
});

it.each(commands)(
  "the page has every word of the help of $command, except headings and the texts of subcommands",
  ({ command, help }) => {
    const words = (text: string) => text.split(/\s+/u).filter(Boolean);
    const section = sections.get(command) ?? "";
    const shown = new Set(words(section + common));
    const subcommands = help.split("\nCommands:\n")[1]?.split("\n\n")[0] ?? "";
    const missing = words(help.replace(subcommands, "")).filter((word) => !shown.has(word));
    expect(missing.filter((word) => !/^(?:Usage:|Options:|\[options\]|\[command\])$/u.test(word))).toEqual(
      [],
    );
    for (const [, name = ""] of subcommands.matchAll(/^ {2}(\S+)/gmu)) {
      expect(section).toMatch(new RegExp(`\nCommands: .*\\b${name}\\b`, "u"));
      expect(sections.has(`${command} ${name}`)).toBe(true);
    }
  },
);

it("the page shows the arguments of a command, and no usage that contains only options", () => {
  expect(sections.get("tillkit keys rotate")).toContain("\nUsage: tillkit keys rotate [options] <list>\n");
  expect(sections.get("tillkit keys create")).not.toContain("Usage:");
});
