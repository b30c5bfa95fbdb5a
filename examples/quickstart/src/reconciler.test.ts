import type { Order } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { errAsync, okAsync, ResultAsync } from "neverthrow";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startReconciler } from "./reconciler.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates ports on which each round waits at its first query until the test lets it continue. */
function gatedPorts() {
  const ports = memoryPorts();
  const gates: (() => void)[] = [];
  const claimDue = () =>
    new ResultAsync(
      new Promise<Awaited<ReturnType<typeof ports.orders.claimDue>>>((resolve) => {
        gates.push(() => void okAsync<readonly Order[]>([]).then(resolve));
      }),
    );
  return { ports: { ...ports, orders: { ...ports.orders, claimDue } }, gates };
}

it("starts a round every interval, and none while one is under way", async () => {
  const { ports, gates } = gatedPorts();
  const reconciler = startReconciler(ports, 1_000, () => undefined);
  await vi.advanceTimersByTimeAsync(999);
  expect(gates).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(5_001);
  expect(gates).toHaveLength(1);
  gates[0]?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(gates).toHaveLength(2);
  gates[1]?.();
  await reconciler.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(gates).toHaveLength(2);
});

it("begins a round that is asked for after the one under way", async () => {
  const { ports, gates } = gatedPorts();
  const reconciler = startReconciler(ports, 1_000, () => undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  const asked = reconciler.round();
  await vi.advanceTimersByTimeAsync(0);
  expect(gates).toHaveLength(1);
  gates[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(gates).toHaveLength(2);
  gates[1]?.();
  await asked;
  await reconciler.stop();
});

it("goes on with a round while there is a full load of work", async () => {
  const ports = memoryPorts();
  const order = (bizNo: string): Order => ({
    ...{
      appId: "app",
      bizNo,
      id: bizNo,
      customerIdentity: "u",
      amount: 1,
      goodsTitle: "t",
      paySource: "APP",
    },
    ...{
      payChannel: "WALLET_A",
      paymentStatus: "PAID",
      payToolId: "p",
      notifyUrl: "n",
      returnUrl: "r",
      expiresAt: 0,
    },
    ...{ refundedAmount: 0, gmtCreate: 0, gmtModified: 0 },
  });
  const loads = [50, 50, 3].map((count) => Array.from({ length: count }, (_, index) => order(String(index))));
  const claimDue = () => okAsync(loads.shift() ?? []);
  const reconciler = startReconciler(
    { ...ports, orders: { ...ports.orders, claimDue } },
    1_000,
    () => undefined,
  );
  await reconciler.round();
  expect(loads).toEqual([]);
  await reconciler.stop();
});

it("reports a round that failed and starts the next", async () => {
  const ports = memoryPorts();
  const claimDue = () => errAsync({ name: "storage.unavailable" } as const);
  const problems: string[] = [];
  const broken = { ...ports, orders: { ...ports.orders, claimDue } };
  const reconciler = startReconciler(broken, 1_000, (problem) => problems.push(problem));
  await vi.advanceTimersByTimeAsync(2_000);
  await reconciler.stop();
  expect(problems).toEqual(["reconciler: storage.unavailable", "reconciler: storage.unavailable"]);
});
