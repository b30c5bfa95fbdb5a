import { defaultPolicy } from "@tillkit/core";
import type { SurfaceName } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { documentedReply } from "./documented-reply.js";

const failure = { code: 50001, msg: "Order not found", traceId: "0".repeat(32) };

/** Returns what the check reports of a reply. */
function reported(surface: SurfaceName, path: string, body: unknown, status = 200) {
  const request = { method: "GET", path, query: "", headers: new Headers(), body: new Uint8Array() };
  const reply = { status, headers: {}, body: JSON.stringify(body) };
  return documentedReply({ surface, policy: defaultPolicy, request, reply });
}

it("accepts the documented replies of an operation, with or without a slash at the end", () => {
  expect(reported("payments", "/detail.json", failure)).toBeUndefined();
  expect(reported("payments", "/detail.json/", failure, 404)).toBeUndefined();
  expect(reported("payments", "/checkAuth.json", { code: 0, msg: "success", data: true })).toBeUndefined();
});

it("reports a code or a status that the operation does not have", () => {
  expect(reported("payments", "/detail.json", { ...failure, code: 10004 })).toContain("allowed values");
  expect(reported("payments", "/detail.json", failure, 418)).toContain("no documented status 418");
});

it("reports a member that is missing or unknown", () => {
  expect(reported("payments", "/detail.json", { ...failure, cause: "a stack" })).toContain("additional");
  expect(reported("payments", "/checkAuth.json", { code: 0, msg: "success" })).toContain("required");
});

it("expects the envelope of a failure at an unknown path of every surface", () => {
  for (const surface of ["payments", "metrics", "notifications"] as const) {
    expect(reported(surface, "/none", { ...failure, code: 10014 }, 404)).toBeUndefined();
    expect(reported(surface, "/none", { code: 0 }, 404)).toContain("required");
  }
});
