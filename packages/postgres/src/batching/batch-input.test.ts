import { expect, it } from "vitest";
import { batchInputValues, rowsByIndex } from "./batch-input.js";

const rows = [
  { n: 2, name: "c" },
  { n: 0, name: "a" },
  { n: 2, name: "cc" },
];

it("rowsByIndex maps each call to its rows by position, for any order of the rows", () => {
  expect(rowsByIndex(["a", "b", "c"], rows)).toEqual(
    new Map([
      [0, [rows[1]]],
      [1, []],
      [2, [rows[0], rows[2]]],
    ]),
  );
});

it("batchInputValues writes the values of each call with its position, and omits undefined values", () => {
  const [asked] = batchInputValues([{ a: 'x"y', b: undefined }, {}, { b: null, c: 1 }]);
  expect(JSON.parse(asked)).toEqual([{ n: 0, a: 'x"y' }, { n: 1 }, { n: 2, b: null, c: 1 }]);
});
