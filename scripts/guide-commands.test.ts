import { describe, expect, it } from "vitest";
import { pages } from "./docs-snippets/pages.js";

/** A line of a shell block that runs the command line on a database. */
const COMMAND =
  /^ *(?:.*\| )?(?:[A-Z_]+=\S+ )*(?:npx )?tillkit (?:alerts|apps|audit|bills|clients|doctor|downloads|events|export|import|migrate|operators|orders|pay-tools|refunds|service-types)\b/m;
/** How a page says which database its commands use. */
const DATABASE = /DATABASE_URL|DATA_DIR/;

const withCommands = pages().filter(({ text }) => COMMAND.test(text));

describe("a page with commands of the command line", () => {
  it("is found", () => {
    expect(withCommands.map(({ path }) => path)).toContain("docs/guide/run-a-host.md");
  });

  it.each(withCommands)("$path says which database they use", ({ text }) => {
    expect(text).toMatch(DATABASE);
  });
});
