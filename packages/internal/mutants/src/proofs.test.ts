import { describe, expect, it } from "vitest";
import { verdictOf } from "./proofs.js";

const report = (numPassedTests: number, ...statuses: readonly string[]) =>
  JSON.stringify({
    numPassedTests,
    success: !statuses.includes("failed"),
    testResults: [
      { assertionResults: statuses.map((status, index) => ({ status, fullName: `test ${index + 1}` })) },
    ],
  });

describe("verdictOf", () => {
  it("names the first test that failed", () => {
    const json = report(1, "passed", "failed", "failed");
    expect(verdictOf("core", json, "")).toEqual({ kind: "caught", by: "core: test 2" });
  });

  it("returns `missed` if all tests passed", () => {
    expect(verdictOf("core", report(2, "passed", "passed", "skipped"), "")).toEqual({ kind: "missed" });
  });

  it("returns `late`, and not `caught`, if tests failed only because of their timeouts", () => {
    const slow = {
      status: "failed",
      fullName: "slow",
      failureMessages: ["Error: Test timed out in 5000ms.\nat x"],
    };
    const wrong = { status: "failed", fullName: "wrong", failureMessages: ["AssertionError: expected 1"] };
    const json = (...assertionResults: readonly object[]) =>
      JSON.stringify({ numPassedTests: 1, success: false, testResults: [{ assertionResults }] });
    expect(verdictOf("core", json(slow), "")).toEqual({ kind: "late", by: "core" });
    expect(verdictOf("core", json(slow, wrong), "")).toEqual({ kind: "caught", by: "core: wrong" });
  });

  it.each([
    ["no test ran", report(0, "skipped")],
    ["a file did not load", JSON.stringify({ numPassedTests: 3, success: false, testResults: [] })],
    ["there is no report", ""],
  ])("returns `unusable` if %s", (_why, json) => {
    expect(verdictOf("core", json, "why")).toEqual({ kind: "unusable", output: "why" });
  });
});
