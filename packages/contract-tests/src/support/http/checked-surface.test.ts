import { defaultPolicy } from "@tillkit/core";
import { metricsRoutes, paymentsRoutes, type Surface } from "@tillkit/core/http";
import { describe, expect, it } from "vitest";
import { checkedSurface, type SurfaceName } from "./checked-surface.js";

const failure = { code: 50001, msg: "Order not found", traceId: "0".repeat(32) };
const downloadsFailure = {
  data: { result: "error", responseBody: "This id is not allowed", errorCode: "ID_NOT_ALLOWED" },
};

/** Returns the reports of a surface whose every response has this body. */
async function reportedOf(name: SurfaceName, method: string, path: string, body: unknown, status = 200) {
  const reply = { status, headers: {}, body: typeof body === "string" ? body : JSON.stringify(body) };
  const surface: Surface<string> = { maxRequestBytes: 7, owns: () => true, handle: async () => reply };
  const mismatches: string[] = [];
  const checked = checkedSurface(name, surface, defaultPolicy, (mismatch) => void mismatches.push(mismatch));
  const request = { method, path, query: "", headers: new Headers(), body: new Uint8Array() };
  expect(await checked.handle(request)).toBe(reply);
  return mismatches;
}

describe("a checked surface", () => {
  it.each(paymentsRoutes)("reports a response that matches no schema of $path", async ({ method, path }) => {
    const report = (body: unknown) => reportedOf("payments", method, path, body);
    expect(await report(failure)).toEqual([]);
    const wrong = [
      { code: 0, msg: "success", data: { unknown: 1 } },
      { code: 0, msg: "success" },
      { ...failure, cause: "a stack" },
      { ...failure, code: 7 },
      downloadsFailure,
      "not JSON",
    ];
    for (const body of wrong) expect(await report(body), JSON.stringify(body)).toHaveLength(1);
  });

  it("accepts a success, and reports one member too many or too few", async () => {
    const report = (data: unknown) =>
      reportedOf("payments", "POST", "/auth.json", { code: 0, msg: "success", data });
    expect(await report({ customerId: "cus_1", token: "t" })).toEqual([]);
    expect(await report({ customerId: "cus_1", token: "t", mobileNo: "1" })).toHaveLength(1);
    expect(await report({ customerId: "cus_1" })).toHaveLength(1);
  });

  it.each(metricsRoutes)("reports a response that matches no schema of $path", async ({ method, path }) => {
    const report = (body: unknown) => reportedOf("metrics", method, path, body);
    expect(await report(downloadsFailure)).toEqual([]);
    for (const body of [failure, { data: { result: "success" } }, "<html>"])
      expect(await report(body), JSON.stringify(body)).toHaveLength(1);
  });

  it.each(["payments", "metrics", "notifications"] as const)(
    "expects the envelope of a failure from the %s surface at an unknown path",
    async (name) => {
      expect(await reportedOf(name, "GET", "/none", { ...failure, code: 10014 }, 404)).toEqual([]);
      expect(await reportedOf(name, "GET", "/none", "success", 404)).toHaveLength(1);
    },
  );
});
