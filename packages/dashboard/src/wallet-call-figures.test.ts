import type { ServiceEvent } from "@tillkit/core";
import { expect, it } from "vitest";
import { walletCallFigures } from "./wallet-call-figures.js";

const HOUR = 3_600_000;

function figures() {
  let now = 100 * HOUR;
  const passedOn: ServiceEvent[] = [];
  const calls = walletCallFigures({ now: () => now }, { onEvent: (event) => passedOn.push(event) });
  const called = (durationMs: number, outcome: "ok" | "rejected" | "unknown" = "ok") =>
    calls.onEvent({ type: "wallet.called", payChannel: "WALLET_A", call: "query", outcome, durationMs });
  return { calls, called, passedOn, wait: (ms: number) => (now += ms) };
}

it("counts calls by wallet, kind and outcome, and passes every event on", () => {
  const { calls, called, passedOn } = figures();
  called(5);
  called(5, "rejected");
  called(5, "unknown");
  called(5, "unknown");
  calls.onEvent({
    type: "wallet.called",
    payChannel: "WALLET_B",
    call: "refund",
    outcome: "ok",
    durationMs: 9e9,
  });
  calls.onEvent({ type: "notification.refused", payChannel: "WALLET_A", reason: "unverified" });
  expect(calls.read()).toEqual([
    { payChannel: "WALLET_A", call: "query", ok: 1, rejected: 1, unknown: 2, p95: 10 },
    { payChannel: "WALLET_B", call: "refund", ok: 1, rejected: 0, unknown: 0, p95: 60_000 },
  ]);
  expect(passedOn).toHaveLength(6);
});

it("reports the duration that 95 of 100 calls do not exceed", () => {
  const { calls, called } = figures();
  for (let nth = 0; nth < 95; nth += 1) called(20);
  for (let nth = 0; nth < 5; nth += 1) called(2_000);
  expect(calls.read()).toMatchObject([{ p95: 25 }]);
  called(2_000);
  expect(calls.read()).toMatchObject([{ p95: 3_000 }]);
});

it("forgets calls after 24 hours", () => {
  const { calls, called, wait } = figures();
  called(5);
  wait(23 * HOUR);
  called(5);
  expect(calls.read()).toMatchObject([{ ok: 2 }]);
  wait(HOUR);
  expect(calls.read()).toMatchObject([{ ok: 1 }]);
  wait(24 * HOUR);
  expect(calls.read()).toEqual([]);
});
