import { writeFile } from "node:fs/promises";
import { relative } from "node:path";
import { publishablePackages, root, withTemporaryFolder } from "@tillkit/repository";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { exportsOf, OPTIONS, publishedEntries, publishedProgram } from "./lib/published-exports.js";

// One file, so that its tests share one program, which takes seconds to create.

/** Exported functions that hosts and test suites do not call on their own. */
interface OtherFunctions {
  readonly reason: string;
  readonly entries: RegExp;
  readonly names: readonly (string | RegExp)[];
}

/**
 * Every exported function that is not in this list is an entry point.
 *
 * Its doc comment has `@example`, and `@returns` unless it returns nothing.
 */
const OTHER_FUNCTIONS: readonly OtherFunctions[] = [
  {
    reason: "schemas, which the example of the function uses",
    entries: /^@tillkit\/core/u,
    names: [/^(?!parse)\w+(?:Input|Response)$/u, "walletOptions", "storedWalletOptions"],
  },
  {
    reason: "single stores, which a host gets from `memoryStores` or `postgresStores`",
    entries: /^@tillkit\/(?:memory|postgres)$/u,
    names: [/^(?:memory|postgres|caching)\w+(?:Store|Source)$/u],
  },
  {
    reason: "suites of single storage ports, which `storesContract` runs",
    entries: /^@tillkit\/contract-tests$/u,
    names: [/^\w+(?:Store|Source|Registry)Contract$/u],
  },
  {
    reason: "fixtures, which return a valid record each",
    entries: /^@tillkit\/contract-tests$/u,
    names: [/^an?[A-Z]\w+$/u, "decisionEntry", "requestApproval", "unique"],
  },
  {
    reason: "parts of wallet adapters: a host calls the adapter",
    entries: /^@tillkit\/wallet-kit$/u,
    names: [/./u],
  },
  {
    reason: "parts of bindings: a host calls the binding",
    entries: /^@tillkit\/(?:core\/ports|core\/http|node)$/u,
    names: ["answerAdmission", "failureReply", "headersIn", "headersWithLength", "splitTarget"],
  },
  {
    reason: "parts of rules, for adapters that must compute the same values",
    entries: /^@tillkit\/core(?:\/operators|\/ports)?$/u,
    names: [
      "adoptableAmount",
      "billExceptionId",
      "blocksOtherRefunds",
      "findTimelineBreak",
      "businessDay",
      "centsOfYuan",
      "codeAttemptOutcome",
      "equalInConstantTime",
      "eventWith",
      "expireTimeOf",
      "extendedExpireTime",
      "isAcceptedRefund",
      "isLiveCode",
      "isOpenRefund",
      "isSendable",
      "isLiveSession",
      "isRefundedInFull",
      "isReservedStore",
      "isSameTally",
      /^new[A-Z]\w+$/u,
      "nextQueryAt",
      "outRefundNo",
      "provenState",
      "reservedStore",
      "subjectName",
      /^tally[A-Z]\w+$/u,
      /^timeline[A-Z]\w+$/u,
      "unknownApp",
      "yuanText",
      "triesOfDay",
    ],
  },
];

describe("every exported name has a doc comment", { tags: "slow" }, () => {
  it("in each published package", () => {
    const packagesOfEntries = publishedEntries
      .filter(({ subpath }) => subpath === ".")
      .map(({ name }) => name);
    // `create-tillkit` is a program only.
    const libraries = publishablePackages().filter(({ name }) => name !== "create-tillkit");
    expect(packagesOfEntries).toEqual(libraries.map(({ name }) => name));
  });

  it.each(publishedEntries)("of $entry", ({ file }) => {
    expect(undocumented(publishedProgram(), file)).toEqual([]);
  });

  it("and a name without one is found", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(`${folder}/package.json`, `{ "type": "module" }`);
      await writeFile(
        `${folder}/index.ts`,
        `export { bare, type Bare, told as renamed } from "./names.js";\n`,
      );
      await writeFile(
        `${folder}/names.ts`,
        "// Not a doc comment.\nexport const bare = 1;\nexport type Bare = 1;\n/** Says what it is. */\nexport const told = 2;\n",
      );
      const options = { ...OPTIONS, types: [], noLib: true };
      const small = ts.createProgram({ rootNames: [`${folder}/index.ts`], options });
      expect(undocumented(small, `${folder}/index.ts`).map((found) => found.split(" ")[0])).toEqual([
        "bare",
        "Bare",
      ]);
    });
  });
});

describe("every entry point has an example and describes its result", { tags: "slow" }, () => {
  it.each(publishedEntries)("of $entry", ({ entry, file }) => {
    const isOther = (name: string) =>
      OTHER_FUNCTIONS.some(
        ({ entries, names }) => entries.test(entry) && names.some((one) => fits(one, name)),
      );
    expect(missingTags(publishedProgram(), file).filter(({ name }) => !isOther(name))).toEqual([]);
  });

  it.each(OTHER_FUNCTIONS)("and functions are exported that are $reason", ({ entries, names }) => {
    const functions = publishedEntries
      .filter(({ entry }) => entries.test(entry))
      .flatMap(({ file }) => exportsOf(publishedProgram(), file))
      .filter(({ symbol }) => callOf(publishedProgram(), symbol) !== undefined);
    expect(names.filter((one) => !functions.some(({ name }) => fits(one, name)))).toEqual([]);
  });

  it("and a function without them is found", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(`${folder}/package.json`, `{ "type": "module" }`);
      await writeFile(
        `${folder}/index.ts`,
        [
          "/** Has no tag. */\nexport function bare(): number { return 1; }",
          "/**\n * Has both.\n * @returns 1.\n * @example\n * both();\n */\nexport const both = () => 1;",
          "/**\n * Returns nothing.\n * @example\n * empty();\n */\nexport function empty(): void {}",
          "/** Is no function. */\nexport const value = 1;",
        ].join("\n"),
      );
      const options = { ...OPTIONS, types: [], strict: true };
      const small = ts.createProgram({ rootNames: [`${folder}/index.ts`], options });
      expect(missingTags(small, `${folder}/index.ts`)).toEqual([
        { name: "bare", missing: ["example", "returns"] },
      ]);
    });
  });
});

/** Returns the exported names of the module without a doc comment, each with its place. */
function undocumented(inProgram: ts.Program, file: string): readonly string[] {
  const checker = inProgram.getTypeChecker();
  return exportsOf(inProgram, file)
    .filter(({ symbol }) => symbol.getDocumentationComment(checker).length === 0)
    .map(({ name, symbol }) => `${name} (${placeOf(symbol)})`);
}

function placeOf(symbol: ts.Symbol): string {
  const node = symbol.declarations?.[0];
  if (node === undefined) return "declared nowhere";
  const file = node.getSourceFile();
  return `${relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

function fits(one: string | RegExp, name: string): boolean {
  return typeof one === "string" ? one === name : one.test(name);
}

/** Returns the exported functions of the module that lack a tag. */
function missingTags(program: ts.Program, file: string) {
  const checker = program.getTypeChecker();
  return exportsOf(program, file).flatMap(({ name, symbol }) => {
    const call = callOf(program, symbol);
    if (call === undefined) return [];
    const tags = symbol.getJsDocTags(checker).map((tag) => tag.name);
    const result = checker.getAwaitedType(call.getReturnType()) ?? call.getReturnType();
    const needed = result.flags & ts.TypeFlags.Void ? ["example"] : ["example", "returns"];
    const missing = needed.filter((tag) => !tags.includes(tag));
    return missing.length === 0 ? [] : [{ name, missing }];
  });
}

/** Returns the first call signature of a value, or `undefined` if it is not a function. */
function callOf(program: ts.Program, symbol: ts.Symbol): ts.Signature | undefined {
  if (!(symbol.flags & ts.SymbolFlags.Value)) return undefined;
  return program.getTypeChecker().getTypeOfSymbol(symbol).getCallSignatures()[0];
}
