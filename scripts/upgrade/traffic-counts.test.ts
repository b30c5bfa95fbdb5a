import { expect, it } from "vitest";
import { failureOf, newTrafficCounts } from "./traffic-counts.js";

const answered = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) });

it("the load balancer counts a request without a response, and one with a status of 500 or more, as failed", () => {
  expect(failureOf({ problem: "ECONNRESET" })).toBe("ECONNRESET");
  expect(failureOf(answered(503, { code: 30001 }))).toBe('503 {"code":30001}');
});

it("the load balancer counts a code that asks the caller to retry as failed, and an expected refusal as served", () => {
  expect(failureOf(answered(200, { code: 99998 }))).toBe('200 {"code":99998}');
  expect(failureOf(answered(200, { code: 50008 }))).toBeUndefined();
  expect(failureOf(answered(200, { code: 50001 }))).toBeUndefined();
  expect(failureOf(answered(200, { code: 0 }))).toBeUndefined();
  expect(failureOf({ status: 204, body: "" })).toBeUndefined();
});

it("the load balancer counts every request, by host, and keeps the longest one", () => {
  const counts = newTrafficCounts();
  counts.count("previous-1", "GET /a", answered(200, { code: 0 }), 5);
  counts.count("previous-1", "GET /a", { problem: "ECONNRESET" }, 30);
  counts.count("next-1", "GET /a", answered(200, { code: 0 }), 10);
  expect(counts.requests).toBe(3);
  expect(counts.failures).toEqual(["previous-1 GET /a: ECONNRESET"]);
  expect(counts.longestMs).toBe(30);
  expect([...counts.byHost]).toEqual([
    ["previous-1", 2],
    ["next-1", 1],
  ]);
});
