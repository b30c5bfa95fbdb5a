import ts from "typescript";
import { describe, expect, it } from "vitest";
import { publicFiles } from "@tillkit/repository";
import { docOf, withPlainLinks } from "./doc-comment.js";

/** Returns the Markdown of a doc comment with these lines. */
function markdownOf(lines: readonly string[]): string {
  const text = `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\nfunction f(ms: number, to = "") {}\n`;
  const [declaration] = ts.createSourceFile("f.ts", text, ts.ScriptTarget.ES2023, true).statements;
  return declaration === undefined ? "" : docOf(declaration);
}

describe("the Markdown of a doc comment", () => {
  it("has one line per paragraph", () => {
    expect(markdownOf(["Waits.", "", "Wakes up", "after a while.", "", "Never rejects."])).toBe(
      "Waits.\n\nWakes up after a while.\n\nNever rejects.",
    );
  });

  it("keeps lists and tables", () => {
    expect(
      markdownOf(["One of:", "- a long", "  item;", "- b.", "", "| A | B |", "| --- | --- |", "| 1 | 2 |"]),
    ).toBe("One of:\n- a long item;\n- b.\n\n| A | B |\n| --- | --- |\n| 1 | 2 |");
  });

  it("keeps parameters, results and failures", () => {
    expect(
      markdownOf([
        "Waits.",
        "@param ms - milliseconds,",
        "  at most 1000.",
        "@param to Where to.",
        "@returns one of:",
        "- nothing;",
        "- something.",
        "@throws RangeError if `ms` is negative.",
      ]),
    ).toBe(
      "Waits.\n\n- `ms`: milliseconds, at most 1000.\n- `to`: Where to.\n\n" +
        "Returns one of:\n- nothing;\n- something.\n\nThrows RangeError if `ms` is negative.",
    );
  });

  it("shows examples and links at the end, examples as they are written", () => {
    expect(
      markdownOf([
        "Waits.",
        "@see {@link https://example.com/why | Why it waits}",
        "@see docs/time.md",
        "@example",
        "```ts",
        'import { f } from "@tillkit/f";',
        "",
        "f({",
        "  ms: 1, // {@link ms}",
        "});",
        "```",
        "@returns nothing.",
      ]),
    ).toBe(
      "Waits.\n\nReturns nothing.\n\nExample:\n\n" +
        '```ts\nimport { f } from "@tillkit/f";\n\nf({\n  ms: 1, // {@link ms}\n});\n```\n\n' +
        "See [Why it waits](https://example.com/why).\n\nSee docs/time.md.",
    );
  });

  it("shows a linked name as code, and links an address", () => {
    expect(markdownOf(["Like {@link Clock.now}, {@link", "other} and {@link other | another}."])).toBe(
      "Like `Clock.now`, `other` and another.",
    );
    expect(markdownOf(["At {@link https://example.com}."])).toBe(
      "At [https://example.com](https://example.com).",
    );
  });

  it("fails on a tag that it cannot show, because dropping it would lose text", () => {
    expect(() => markdownOf(["Waits.", "@privateRemarks secret"])).toThrow("@privateRemarks");
  });
});

describe("links in source code", () => {
  it("become plain text", () => {
    const source = `/** Like {@link a}, {@link b | B}, {@link ${publicFiles}docs/c.md | C}. */`;
    expect(withPlainLinks(source)).toBe("/** Like `a`, B, C (docs/c.md). */");
  });
});

describe("a declaration without a doc comment", () => {
  it("has an empty text", () => {
    const [bare] = ts.createSourceFile("f.ts", "const a = 1;", ts.ScriptTarget.ES2023, true).statements;
    expect(bare === undefined ? undefined : docOf(bare)).toBe("");
  });
});
