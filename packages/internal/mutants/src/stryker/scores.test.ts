import { expect, it } from "vitest";
import { folderScores } from "./scores.js";

const mutants = (...statuses: readonly string[]) => ({ mutants: statuses.map((status) => ({ status })) });

it("folderScores scores each folder by the share of its mutants that a test killed", () => {
  const files = {
    "core/src/refunds/b.ts": mutants("Killed", "Survived"),
    "core/src/refunds/a.ts": mutants("Timeout", "NoCoverage", "Killed"),
    "core/src/orders/a.ts": mutants("Killed", "Killed", "Killed", "Survived", "Ignored", "CompileError"),
    "core/src/sessions/types.ts": mutants("Ignored"),
  };
  expect(folderScores({ files })).toEqual([
    { folder: "core/src/orders", killed: 3, timeout: 0, survived: 1, noCoverage: 0, score: 75 },
    { folder: "core/src/refunds", killed: 2, timeout: 1, survived: 1, noCoverage: 1, score: 60 },
  ]);
});
