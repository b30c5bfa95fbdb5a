import { describe, expect, it } from "vitest";
import { everyCommand } from "../packages/cli/src/every-command.js";
import { inertProgram } from "../packages/cli/src/inert-program.js";
import { tillkitCommands } from "./docs-snippets/command-lines.js";
import { pages } from "./docs-snippets/pages.js";
import { shellBlocksOf } from "./docs-snippets/shell-blocks.js";

/** The commands that open no database. */
const WITHOUT_DATABASE = /^(?:alerts|completion|dev|keys|login|logout|sandbox) ?/u;
/** How a page says which database its commands use. */
const DATABASE = /DATABASE_URL|DATA_DIR|TILLKIT_SERVER|command-line\.md#select-the-database-and-the-keys/;

const blocks = pages().flatMap((page) => shellBlocksOf(page).map((block) => ({ page, ...block })));
const commands = blocks.flatMap(({ page, line, mark, code }) =>
  tillkitCommands(code).map((words) => ({
    page,
    place: `${page.path}:${line}`,
    mark,
    words,
    text: words.join(" "),
  })),
);

describe("a command of the command line", () => {
  it("is found", () => {
    expect(commands.map(({ page }) => page.path)).toContain("docs/guide/run-a-host.md");
    expect(commands.length).toBeGreaterThan(60);
  });

  it.each(commands)("$place tillkit $text has arguments that it accepts", async ({ words }) => {
    await expect(parsed(words)).resolves.toBeUndefined();
  });

  it.each(commands.filter(({ text }) => !WITHOUT_DATABASE.test(text)))(
    "$place tillkit $text is on a page that says which database it uses",
    ({ page }) => {
      expect(DATABASE.test(page.text)).toBe(true);
    },
  );
});

it("the check refuses a command, an option and a missing value that the command line does not accept", async () => {
  await expect(parsed(["apps", "make"])).rejects.toThrow("unknown command");
  await expect(parsed(["apps", "create", "--name", "Notes", "--title"])).rejects.toThrow("unknown option");
  await expect(parsed(["apps", "create"])).rejects.toThrow("--name");
});

/** Parses a command line without running it. Rejects if the command does not accept it. */
async function parsed(words: readonly string[]): Promise<void> {
  const program = inertProgram();
  for (const command of everyCommand(program))
    command.exitOverride().configureOutput({ writeErr: () => undefined });
  await program.parseAsync([...words], { from: "user" });
}
