import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import {
  openRefundFixture,
  BUSY,
  LOST,
  NOW,
  REFUSED,
  requested,
  stating,
} from "../testing/refund-fixture.js";
import type { Wallet } from "../wallets/wallet.js";
import { applyAbnormalRefund, applyAbnormalRefundInput } from "./apply-abnormal-refund.js";
import type { Refund } from "./refund.js";
import { orThrow } from "../errors/or-throw.js";

const MINUTE = 60_000;
const CARD = { bankType: "CMB_DEBIT", bankAccount: "6225880137395123", realName: "Li Lei" };
const abnormal: Refund = { ...requested, status: "ABNORMAL", gmtModified: NOW - MINUTE };
const parameters = { bizNo: "b-1", refundNo: "refund-1", reason: "card closed", operator: "kim" };

const read = (changes: Readonly<Record<string, unknown>> = {}) =>
  parseInput(applyAbnormalRefundInput(defaultPolicy), {
    ...parameters,
    payTo: "customer",
    ...CARD,
    ...changes,
  });

function openFixture(
  answers: Partial<Wallet> = {},
  circumstances: Parameters<typeof openRefundFixture>[1] = {},
) {
  const queryRefund = () => okAsync(stating("ABNORMAL", { walletRefundNo: "5001" }));
  const fixture = openRefundFixture({ queryRefund, ...answers }, { start: abnormal, ...circumstances });
  return {
    ...fixture,
    payOut: (changes = {}) => applyAbnormalRefund(fixture.ports, "app_1", orThrow(read(changes))),
  };
}

describe("applyAbnormalRefundInput", () => {
  it.each([
    [{ bankType: undefined }, { name: "parameter.missing", parameter: "bankType" }],
    [{ bankAccount: undefined }, { name: "parameter.missing", parameter: "bankAccount" }],
    [{ realName: undefined }, { name: "parameter.missing", parameter: "realName" }],
    [{ payTo: "nobody" }, { name: "parameter.invalid", parameter: "payTo", rule: "shape" }],
    [{ bankType: "cmb" }, { name: "parameter.invalid", parameter: "bankType", rule: "bank-code" }],
    [
      { bankAccount: "6225 8801" },
      { name: "parameter.invalid", parameter: "bankAccount", rule: "bank-account" },
    ],
    [
      { bankAccount: "1".repeat(33) },
      { name: "parameter.invalid", parameter: "bankAccount", rule: "bank-account" },
    ],
    [{ refundNo: "a b" }, { name: "parameter.invalid", parameter: "refundNo", rule: "refund-no" }],
  ])("names the rule that %o violates, without repeating a value", (changes, failure) => {
    expect(read(changes)._unsafeUnwrapErr()).toEqual(failure);
  });

  it("requires no card for the merchant's own account, and drops a given card", () => {
    expect(orThrow(read({ payTo: "merchant" }))).toEqual({ ...parameters, payTo: "merchant" });
  });
});

describe("applyAbnormalRefund", () => {
  it("queries first, moves the refund to SENT, then pays out, and never stores the card", async () => {
    const { payOut, taken, reported, events, held: stored } = openFixture();
    expect(await orThrow(payOut())).toMatchObject({ status: "SENT", gmtModified: NOW });
    expect(taken).toEqual([
      "book order-1-refund-1",
      expect.stringMatching(/^again/),
      "SENT",
      "pay out 5001 to customer",
      `again at ${NOW + MINUTE}`,
    ]);
    expect(events().at(-1)).toMatchObject({ type: "REFUND_PAYOUT", actor: "operator:kim", alarm: false });
    expect(JSON.stringify([events(), reported, stored()])).not.toMatch(/6225880137395123|Li Lei/);
  });

  it("pays nothing out if the refund has changed since the operators saw it", async () => {
    const { ports, taken } = openFixture();
    const payOut = (seenAt: number) => applyAbnormalRefund(ports, "app_1", orThrow(read()), { seenAt });
    const conflict = { name: "refund.status-conflict", status: "ABNORMAL" };
    expect((await payOut(abnormal.gmtModified - 1))._unsafeUnwrapErr()).toEqual(conflict);
    expect(taken.join()).not.toContain("pay out");
    expect(await orThrow(payOut(abnormal.gmtModified))).toMatchObject({ status: "SENT" });
  });

  it.each(["PROCESSING", "CONFIRMED", "FAILED"] as const)(
    "pays nothing out if the wallet reports that the refund is %s by now",
    async (state) => {
      const { payOut, taken } = openFixture({
        queryRefund: () => okAsync(stating(state, { walletRefundNo: "5001" })),
      });
      const status = state === "PROCESSING" ? "SENT" : state;
      expect((await payOut())._unsafeUnwrapErr()).toEqual({ name: "refund.status-conflict", status });
      expect(taken.join()).not.toContain("pay out");
    },
  );

  it.each([
    ["does not answer", errAsync(LOST), { name: "wallet-a.unavailable" }],
    ["has no record of it", okAsync(undefined), { name: "refund.outcome-unknown" }],
    ["states no number of its own", okAsync(stating("ABNORMAL")), { name: "refund.outcome-unknown" }],
    [
      "states another amount",
      okAsync(stating("ABNORMAL", { walletRefundNo: "5001", amount: 1 })),
      { name: "refund.outcome-unknown" },
    ],
  ] as const)("pays nothing out if the wallet %s", async (_what, known, failure) => {
    const { payOut, taken, held: stored } = openFixture({ queryRefund: () => known });
    expect((await payOut())._unsafeUnwrapErr()).toEqual(failure);
    expect(taken.join()).not.toContain("pay out");
    expect(stored().status).toBe("ABNORMAL");
  });

  it("pays nothing out if another call was faster", async () => {
    const faster = { ...abnormal, status: "SETTLED" } as const;
    const order = openRefundFixture({}).ports.orders;
    const found = await orThrow(order.find({ appId: "app_1", bizNo: "b-1" }));
    if (found === undefined) throw new Error("There is no order.");
    const { payOut, taken } = openFixture(
      {},
      {
        lost: { progress: () => okAsync({ moved: false, refund: faster, order: found }) },
      },
    );
    expect((await payOut())._unsafeUnwrapErr()).toEqual({
      name: "refund.status-conflict",
      status: "SETTLED",
    });
    expect(taken.join()).not.toContain("pay out");
  });

  it("makes the refund ABNORMAL again after a refusal, with the wallet's reason on the timeline and an alarm", async () => {
    const {
      payOut,
      reported,
      events,
      held: stored,
    } = openFixture({ applyAbnormalRefund: () => errAsync(REFUSED) });
    expect((await payOut())._unsafeUnwrapErr()).toEqual({ name: "refund.payout-rejected" });
    expect(stored().status).toBe("ABNORMAL");
    expect(reported.slice(-2)).toEqual(["refund-1 ABNORMAL 200", "alarm REFUND_ABNORMAL"]);
    const refused = events().find(({ type }) => type === "REFUND_PAYOUT_REFUSED");
    expect(refused?.details).toBe('{"refusal":"not today"}');
  });

  it("does not treat a refusal as final if a query shows that the wallet processes the refund", async () => {
    let requestCount = 0;
    const { payOut } = openFixture({
      applyAbnormalRefund: () => errAsync(REFUSED),
      queryRefund: () => {
        requestCount += 1;
        return okAsync(stating(requestCount === 1 ? "ABNORMAL" : "PROCESSING", { walletRefundNo: "5001" }));
      },
    });
    expect((await orThrow(payOut())).status).toBe("SENT");
  });

  it.each([
    ["no answer", LOST, NOW + MINUTE],
    ["too many calls", BUSY, NOW + 2 * MINUTE],
  ] as const)("leaves the refund SENT and schedules a query after %s", async (_what, failure, next) => {
    const { payOut, taken, held: stored } = openFixture({ applyAbnormalRefund: () => errAsync(failure) });
    expect((await payOut())._unsafeUnwrapErr()).toEqual({ name: "refund.outcome-unknown" });
    expect(stored().status).toBe("SENT");
    expect(taken.at(-1)).toBe(`again at ${next}`);
  });

  it.each(["REQUESTED", "SENT", "WAITING_FOR_FUNDS", "CONFIRMED", "FAILED", "SETTLED"] as const)(
    "calls no wallet for a refund that is %s",
    async (status) => {
      const { payOut, taken } = openFixture({}, { start: { ...requested, status } });
      expect((await payOut())._unsafeUnwrapErr()).toEqual({ name: "refund.status-conflict", status });
      expect(taken).toEqual([]);
    },
  );
});
