import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { account, anOrder, stub } from "../testing/stubs.js";
import type { Order } from "../orders/order.js";
import type { WalletFailure } from "../wallets/wallet.js";
import { reconcileOrders } from "./reconcile-orders.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
describe("reconcileOrders", () => {
  it.each([
    ["could be closed", defaultPolicy.expiryMargin],
    [
      "could be closed on an unsigned absence",
      defaultPolicy.expiryMargin + defaultPolicy.unsignedRefusalDelay,
    ],
  ])("queries again at once if the order %s before the response arrived", async (_when, margin) => {
    const due = anOrder();
    const moment = due.expiresAt + margin;
    expect(
      await scheduledAfter(due, moment - 1, HOUR, {
        name: "wallet.rejected",
        reason: "absent",
        trusted: false,
        detail: "404",
      }),
    ).toEqual([moment]);
  });

  describe.each(["PENDING", "CLOSE"] as const)("repeats the last query about a %s order", (paymentStatus) => {
    const { expiryMargin, unsignedRefusalDelay, workLease } = defaultPolicy;
    it.each([
      ["after the lease at first", unsignedRefusalDelay, workLease],
      ["after an hour if the order could be closed a day ago", DAY, HOUR],
      ["after at most a day", 100 * DAY, DAY],
    ])("%s", async (_when, late, pause) => {
      const due = { ...anOrder(), paymentStatus };
      const startedAt = due.expiresAt + expiryMargin + late;
      const failure = { name: "wallet.unknown", cause: "timeout", detail: "no answer" } as const;
      expect(await scheduledAfter(due, startedAt, 0, failure)).toEqual([startedAt + pause]);
    });
  });
});

/** Polls a due order whose query fails, and returns the moments for which it was scheduled. */
async function scheduledAfter(due: Order, startedAt: number, queryTakes: number, failure: WalletFailure) {
  let now = startedAt;
  const scheduled: unknown[] = [];
  const query = () => {
    now += queryTakes;
    return errAsync(failure);
  };
  await reconcileOrders({
    orders: stub({
      claimDue: () => okAsync([due]),
      schedule: (_key, at) => {
        scheduled.push(at);
        return okAsync(undefined);
      },
    }),
    refunds: stub({ claimDue: () => okAsync([]) }),
    refundApprovals: stub({ claimDue: () => okAsync([]) }),
    billExceptions: stub({}),
    payTools: stub({ getCached: () => account }),
    accessTokens: stub({}),
    digest: stub({}),
    wallets: { WALLET_A: stub({ query }), WALLET_B: stub({}) },
    clock: { now: () => now, sleep: async () => undefined },
    random: { bytes: (count) => new Uint8Array(count) },
    observer: { onEvent: () => undefined },
    policy: { ...defaultPolicy, querySchedule: [] },
  });
  return scheduled;
}
