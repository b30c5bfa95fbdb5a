import type { ServiceEvent } from "@tillkit/core";
import { expect, it } from "vitest";
import { stderrObserver } from "./stderr-observer.js";

function anObserver() {
  const lines: string[] = [];
  const clock = { at: Date.parse("2026-03-10T12:00:00Z") };
  const observer = stderrObserver({ write: (line) => lines.push(line), now: () => clock.at });
  return { observer, lines, clock };
}

const ALARM: ServiceEvent = { type: "order.alarm", appId: "app_1", orderId: "o", event: "MISMATCH" };

it("writes an alarm as one JSON line", () => {
  const { observer, lines } = anObserver();
  observer.onEvent(ALARM);
  expect(lines).toHaveLength(1);
  expect(lines[0]?.endsWith("}\n")).toBe(true);
  expect(JSON.parse(lines[0] ?? "")).toEqual({ time: "2026-03-10T12:00:00.000Z", level: "error", ...ALARM });
});

it("writes nothing about success", () => {
  const { observer, lines } = anObserver();
  observer.onEvent({ type: "task.ran", task: "reconcile", traceId: "t", durationMs: 1 });
  observer.onEvent({
    type: "wallet.called",
    payChannel: "WALLET_A",
    call: "query",
    outcome: "ok",
    durationMs: 1,
  });
  observer.onEvent({ type: "order.moved", appId: "a", orderId: "o", from: "PENDING", to: "PAID" });
  observer.onEvent({ type: "alert.sent", channel: "slack", matters: 1, isRepeated: false });
  expect(lines).toEqual([]);
});

it("writes a refusal of a wallet as a warning, unless the wallet only has no bill of the day", () => {
  const { observer, lines } = anObserver();
  const refusal = { type: "wallet.called", call: "readBill", outcome: "rejected", durationMs: 1 } as const;
  for (const payChannel of ["WALLET_A", "WALLET_B"] as const)
    for (const reason of ["no-bill", "not-ready", "configuration"] as const)
      observer.onEvent({ ...refusal, payChannel, reason });
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { level: "warn", payChannel: "WALLET_A", reason: "configuration" },
    { level: "warn", payChannel: "WALLET_B", reason: "configuration" },
  ]);
});

it("writes the name and the code of what a dependency threw, and not its message", () => {
  const { observer, lines } = anObserver();
  const cause = Object.assign(new Error("duplicate key (13800138000)"), { code: "23505" });
  const ran = { type: "task.ran", task: "bills", traceId: "t", durationMs: 1 } as const;
  observer.onEvent({ ...ran, failure: "storage.unavailable", cause });
  expect(lines[0]).toContain('"cause":"Error 23505"');
  expect(lines[0]).not.toContain("13800138000");
});

it.each([
  ["an error without a code", new Error("no such user 13800138000"), "Error"],
  ["an error of a subclass", new TypeError("13800138000 is not a function"), "TypeError"],
  [
    "a code that is no text",
    Object.assign(new RangeError("13800138000"), { code: 13800138000 }),
    "RangeError",
  ],
  ["a code that is no code", Object.assign(new Error("x"), { code: "+8613800138000" }), "Error"],
  ["a code that is a number", Object.assign(new Error("x"), { code: "13800138000" }), "Error"],
  ["a name that is no name", Object.assign(new Error("x"), { name: "no user 13800138000" }), "Error"],
  ["an error with a cause", new Error("failed", { cause: new Error("13800138000") }), "Error"],
  ["a text", "13800138000", "string"],
  ["a number", 13800138000, "number"],
  ["an object", { mobileNo: "13800138000", name: "13800138000" }, "object"],
  ["nothing", null, "object"],
])("writes no message and no member of %s that a dependency threw", (_, cause, expected) => {
  const { observer, lines } = anObserver();
  const ran = { type: "task.ran", task: "bills", traceId: "t", durationMs: 1 } as const;
  observer.onEvent({ ...ran, failure: "storage.unavailable", cause });
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ cause: expected });
  expect(lines[0]).not.toContain("13800138000");
});

it("writes the remedy of a misconfigured storage as an error", () => {
  const { observer, lines } = anObserver();
  const cause = Object.assign(new Error("permission denied for table orders"), { code: "42501" });
  observer.onEvent({ type: "storage.misconfigured", remedy: "Grant select on orders.", cause });
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "error",
    type: "storage.misconfigured",
    remedy: "Grant select on orders.",
    cause: "Error 42501",
  });
});

it("writes at most ten lines of a type in a second, and then how many it left out", () => {
  const { observer, lines, clock } = anObserver();
  for (let nth = 0; nth < 500; nth += 1) observer.onEvent(ALARM);
  observer.onEvent({ type: "request.refused", surface: "payments" });
  expect(lines).toHaveLength(11);
  clock.at += 1_000;
  observer.onEvent(ALARM);
  expect(lines.at(-1)).toContain('"omitted":490');
});
