import { expect, it } from "vitest";
import { parseKeyMaterials } from "./key-material.js";

const block = (label: string, inner: string) =>
  `-----BEGIN ${label}-----\n${inner}\n-----END ${label}-----\n`;
const found = (text: string) =>
  parseKeyMaterials(text)?.map(({ label, der }) => [label, der.toString("base64")]);

it.each([
  [
    block("A", "AAAA") + block("B C", "BBBB"),
    [
      ["A", "AAAA"],
      ["B C", "BBBB"],
    ],
  ],
  [`text ${block("A", "AA\nAA")} text`, [["A", "AAAA"]]],
  [block("A", "AAAA").replaceAll("\n", "\\r\\n"), [["A", "AAAA"]]],
  [
    "AAAA,BBBB",
    [
      [undefined, "AAAA"],
      [undefined, "BBBB"],
    ],
  ],
])("parseKeyMaterials splits %j", (text, parts) => {
  expect(found(text)).toEqual(parts);
});

it.each([
  "",
  "-----",
  "-----BEGIN A-----",
  "-----BEGIN A-----AAAA-----END B-----",
  "-----BEGIN A-----AAAA",
  "-----BEGIN a-----AAAA-----END a-----",
  "-----END A-----AAAA",
  block("A", "AAAA") + "-----BEGIN A-----",
  block("A", `AAAA${block("B", "BBBB")}`),
  `${block("A", "AAAA")}-----`,
])("parseKeyMaterials rejects %j", (text) => {
  expect(found(text)).toBeUndefined();
});

const MEGABYTES = 4 * 2 ** 20;
it.each([
  "-----BEGIN A-----",
  "-----BEGIN A",
  "-----",
  "-----BEGIN A-----\n-----END B-----",
  "Proc-Type:",
  "A,",
  " ",
])("parseKeyMaterials reads 4 MB of %j within seconds", (part) => {
  const began = performance.now();
  parseKeyMaterials(part.repeat(MEGABYTES / part.length));
  // A search that starts again at each part takes minutes.
  expect(performance.now() - began).toBeLessThan(10_000);
});
