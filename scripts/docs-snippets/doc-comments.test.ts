import { expect, it } from "vitest";
import { commentsIn } from "./doc-comments.js";
import { snippetsOf } from "./snippets.js";

const SOURCE = `import { a } from "./a.js";

/**
 * Calls a.
 *
 * @example
 * \`\`\`ts
 * b({
 *   c: 1,
 * });
 * \`\`\`
 */
export const b = a;

/** Not an example. */
export const text = "\`\`\`ts";

interface C {
  /**
   * @example
   * \`\`\`ts
   * a();
   * \`\`\`
   */
  readonly d: string;
}
`;

it("commentsIn keeps the examples of doc comments at their lines", () => {
  expect(snippetsOf({ path: "packages/p/src/b.ts", text: commentsIn(SOURCE) })).toEqual([
    { page: "packages/p/src/b.ts", line: 7, kind: "check", code: "b({\n  c: 1,\n});\n" },
    { page: "packages/p/src/b.ts", line: 21, kind: "check", code: "a();\n" },
  ]);
});
