import { ESLint } from "eslint";
import { expect, it } from "vitest";
import { root } from "@tillkit/repository";

const eslint = new ESLint({ cwd: root, overrideConfigFile: `${root}eslint.prose.config.js` });

it.each([
  ["text", "# A page\n\nThe limit is 64 unless\ntold otherwise.\n"],
  ["a code block", "# A page\n\n```ts\nlimit(64); // 64 unless told\n```\n"],
  ["a table", "# A page\n\n| Limit |\n| --- |\n| 64 unless told |\n"],
])("the prose rules find a banned phrase in %s", async (_place, text) => {
  expect(await rulesBrokenBy(text)).toEqual(["no-restricted-syntax"]);
});

it("the prose rules accept plain sentences", async () => {
  expect(await rulesBrokenBy("# A page\n\nThe limit is 64 by default. It is a no-op.\n")).toEqual([]);
});

async function rulesBrokenBy(text: string) {
  const [result] = await eslint.lintText(text, { filePath: `${root}page.md` });
  return result?.messages.map(({ ruleId }) => ruleId);
}
