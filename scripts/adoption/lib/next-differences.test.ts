import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { NEXT_DIFFERENCES } from "./next-differences.js";

const SUITES = new URL("../../../packages/contract-tests/src/suites/http/", import.meta.url);

it("NEXT_DIFFERENCES names only tests that the binding contract has", () => {
  const titles = readdirSync(SUITES)
    .filter((file) => file.startsWith("binding"))
    .flatMap((file) => titlesOf(readFileSync(new URL(file, SUITES), "utf8")));
  const unknown = Object.keys(NEXT_DIFFERENCES).filter((name) => !titles.some((title) => title.test(name)));
  expect(unknown, "rename them in next-differences.ts as well").toEqual([]);
});

/** A pattern for each title in a test file. A placeholder in the title matches any text. */
function titlesOf(source: string): RegExp[] {
  return [...source.matchAll(/(["`])((?:(?!\1).)+)\1,\s+(?:async )?\(/g)].map(([, , title = ""]) => {
    const fixed = title
      .split(/%[a-z]|\$\{\w+\}/)
      .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    return new RegExp(`^${fixed.join(".+")}$`);
  });
}
