import { describe, expect, it } from "vitest";
import { jsonProblemText, parseStrictJson } from "./strict-json.js";
import { orThrow } from "../errors/or-throw.js";

const problemsOf = (text: string) => parseStrictJson(text)._unsafeUnwrapErr().map(jsonProblemText);

/** Pieces of JSON texts. Most random sequences of them are not JSON. */
const PIECES = [
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  " ",
  "\n",
  "\t",
  "\u00a0",
  '"a"',
  '"b"',
  '""',
  '"\\u0061"',
  '"\\x"',
  '"\t"',
  '"',
  "\\",
  "1",
  "-1",
  "01",
  "1.5",
  "1.",
  ".5",
  "1e3",
  "1e",
  "-",
  "+1",
  "true",
  "false",
  "null",
  "tru",
  "NaN",
];

/** Returns a whole number from 0 to `most - 1`, from a sequence that a seed defines. */
function numbersOf(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

function randomText(below: (most: number) => number): string {
  return Array.from({ length: 1 + below(8) }, () => PIECES[below(PIECES.length)]).join("");
}

/** Returns a random valid text whose members have unique names. */
function randomJson(below: (most: number) => number, depth = 0): string {
  const many = Array.from({ length: depth > 3 ? 0 : below(4) }, () => randomJson(below, depth + 1));
  switch (below(5)) {
    case 0:
      return String(below(1_000) / 8);
    case 1:
      return JSON.stringify(`\u{1f600}"\\\n${String(below(9))}`);
    case 2:
      return ["true", "false", "null"][below(3)] ?? "null";
    case 3:
      return `[ ${many.join(" ,\n")} ]`;
    default:
      return `{${many.map((one, index) => `"n${String(index)}" :${one}`).join(",")}\r\n}`;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("parseStrictJson", () => {
  it("returns what JSON.parse returns", () => {
    const below = numbersOf(7);
    for (let round = 0; round < 2_000; round += 1) {
      const text = randomJson(below);
      expect(orThrow(parseStrictJson(text))).toEqual(JSON.parse(text));
    }
  });

  it("accepts and rejects the same texts as JSON.parse", () => {
    const below = numbersOf(11);
    let valid = 0;
    for (let round = 0; round < 30_000; round += 1) {
      const text = randomText(below);
      const parsed = parseStrictJson(text);
      const isRepeated = parsed.isErr() && parsed.error[0]?.member !== undefined;
      expect([text, parsed.isOk() || isRepeated]).toEqual([text, isJson(text)]);
      if (isJson(text)) valid += 1;
    }
    expect(valid).toBeGreaterThan(1_000);
  });

  it.each([
    ["{ codes", "the text is not JSON (line 1, column 3)"],
    ['{\n  "a": 1,\n}', "the text is not JSON (line 3, column 1)"],
    ['{\r\n"a": "x" "b": 2}', "the text is not JSON (line 2, column 10)"],
    ['{"a": "s3cret}', "the text is not JSON (line 1, column 7)"],
    ['// policy\n{"a": 1}', "the text is not JSON (line 1, column 1)"],
    ['{"a": 1}}', "the text is not JSON (line 1, column 9)"],
    ["", "the text is not JSON (line 1, column 1)"],
    ['{"a": [1, 2', "the text is not JSON (line 1, column 12)"],
  ])("returns the place from which %j is not JSON", (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it.each([
    ['{"a": 1, "b": 2, "a": 1}', ["a occurs twice (line 1, column 18)"]],
    ['{"a": 1,\n "\\u0061": 2}', ["a occurs twice (line 2, column 2)"]],
    ['[{}, {"a": {"b": [0, {"c": 1, "c": 2}]}}]', ["[1].a.b[1].c occurs twice (line 1, column 31)"]],
    ['{"__proto__": 1, "__proto__": 2}', ["__proto__ occurs twice (line 1, column 18)"]],
    ['{"a": {"x": 1, "x": 2}, "a": {"y": 1}}', ["a.x", "a"]],
    ['{"": 1, "": 2}', ['"" occurs twice']],
    ['{"a\u202e": 1, "a\u202e": 2}', ["a\\u202e occurs twice"]],
  ])("lists every member of %s that occurs twice", (text, problems) => {
    const found = problemsOf(text);
    expect(found).toHaveLength(problems.length);
    for (const [index, problem] of problems.entries()) expect(found[index]).toContain(problem);
  });

  it("accepts equal names in different objects", () => {
    expect(parseStrictJson('[{"a": {"a": 1}}, {"a": "a"}]').isOk()).toBe(true);
  });

  it("lists each member once, and at most 20 members", () => {
    expect(problemsOf('{"a":1,"a":2,"a":3}')).toEqual(["a occurs twice (line 1, column 8)"]);
    const pairs = Array.from({ length: 50 }, (_, index) => `"a${index}":1,"a${index}":2`);
    expect(problemsOf(`{${pairs.join(",")}}`)).toHaveLength(20);
  });

  it("reads deep and long texts in linear time", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(parseStrictJson(deep).isOk()).toBe(isJson(deep));
    expect(parseStrictJson(JSON.stringify("x".repeat(4_000_000))).isOk()).toBe(true);
    expect(parseStrictJson("[".repeat(100_000)).isErr()).toBe(true);
  });
});
