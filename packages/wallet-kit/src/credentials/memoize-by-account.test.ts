import { expect, it } from "vitest";
import { memoizeByAccount } from "./memoize-by-account.js";

it("memoizeByAccount reads the texts of an object once for repeated calls", () => {
  let looks = 0;
  const credentials = {
    get privateKey() {
      looks += 1;
      return "key";
    },
  };
  const read = memoizeByAccount(() => ({}), 1);
  const first = read({ credentials });
  expect(looks).toBe(1);
  expect(read({ credentials })).toBe(first);
  expect(looks).toBe(1);
  expect(read({ credentials: { privateKey: "key" } })).toBe(first);
});
