import { expect, it } from "vitest";
import { carriedBy, librariesIn, noticesOf } from "./carried-along.js";
import { root } from "./packages.js";

it("finds the libraries of which something is in a built file", () => {
  const used = { bytesInOutput: 1 };
  const libraries = librariesIn({
    outputs: {
      "dist/index.js": { inputs: { "src/index.ts": used, "../../node_modules/zod/v4/core/core.js": used } },
      "dist/chunk.js": {
        inputs: {
          "../../node_modules/zod/v4/core/api.js": used,
          "../../node_modules/@date-fns/tz/date/index.js": used,
          "../../node_modules/outer/node_modules/inner/index.js": used,
          "../../node_modules/unused/index.js": { bytesInOutput: 0 },
        },
      },
    },
  });
  expect([...libraries]).toEqual([
    ["@date-fns/tz", "../../node_modules/@date-fns/tz"],
    ["inner", "../../node_modules/outer/node_modules/inner"],
    ["zod", "../../node_modules/zod"],
  ]);
});

it("gives every licence in full, with the version it is about", () => {
  const names = carriedBy("@tillkit/core");
  const text = noticesOf(new Map(names.map((name) => [name, `${root}node_modules/${name}`])));
  for (const name of names) expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, "mu"));
  expect(text.match(/without restriction/gu)).toHaveLength(names.length);
});

it("refuses a library without a licence", () => {
  expect(() => noticesOf(new Map([["@tillkit/quickstart", `${root}examples/quickstart`]]))).toThrow(
    /no file with its licence/u,
  );
});
