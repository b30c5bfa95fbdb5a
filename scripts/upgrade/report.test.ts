import { anOrder } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { report, type UpgradeCounts } from "./report.js";

const PAID = { order: anOrder({ paymentStatus: "PAID" }), whole: true };
const CLOSED = { order: anOrder({ paymentStatus: "CLOSE" }), whole: true };
const GOOD: UpgradeCounts = {
  traffic: { requests: 12, failures: [], longestMs: 40.4 },
  snapshot: [PAID, CLOSED],
  findings: [],
};

it("the report has the counts of a run without problems", () => {
  expect(report(GOOD)).toEqual({
    line: "requests 12, failed 0, orders 2, paid 1, lost 0, duplicated 0, contradictions 0, broken timelines 0, longest request 40 ms",
    passed: true,
  });
});

it.each<[string, Partial<UpgradeCounts>]>([
  ["a failed request", { traffic: { ...GOOD.traffic, failures: ["next-1 GET /a: ECONNRESET"] } }],
  ["a run without requests", { traffic: { ...GOOD.traffic, requests: 0 } }],
  ["a run without payments", { snapshot: [CLOSED] }],
  ["a broken timeline", { snapshot: [PAID, { ...PAID, whole: false }] }],
  ["a lost order", { findings: [{ kind: "lost", bizNo: "b-1", what: "it is not in the database" }] }],
])("a run does not pass with %s", (_what, change) => {
  expect(report({ ...GOOD, ...change }).passed).toBe(false);
});
