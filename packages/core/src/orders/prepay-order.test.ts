import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { orThrow } from "../errors/or-throw.js";
import { defaultPolicy } from "../policy.js";
import { account, anOrder, stub } from "../testing/stubs.js";
import type { Wallet, WalletFailure } from "../wallets/wallet.js";
import type { Order } from "./order.js";
import type { Prepayment } from "../wallets/prepayment.js";
import type { OrderStore } from "./order-store.js";
import { paymentRequest, prepayOrder, type PrepayPorts } from "./prepay-order.js";

const NOW = 1_000;
const LEASE = 6_000;
const prepayment: Prepayment = { issuedAt: NOW, validUntil: 9_000, values: { prepayId: "p" } };
const REJECTED: WalletFailure = {
  name: "wallet.rejected",
  reason: "other",
  trusted: true,
  detail: "not today",
};
const LOST: WalletFailure = { name: "wallet.unknown", cause: "timeout", detail: "" };

/** Creates an unclaimed order, and a wallet that accepts it. Records the steps. */
function openFixture(orders: Partial<OrderStore> = {}, answers: Partial<Wallet> = {}, clockRuns = true) {
  const order = anOrder({ expiresAt: 100_000 });
  let now = NOW;
  const pauses: number[] = [];
  const taken: string[] = [];
  const ports: PrepayPorts = {
    orders: stub<OrderStore>({
      claimPrepayment: (_key, claim) => {
        taken.push(`claim ${claim.id} until ${claim.until}`);
        return okAsync({ granted: true, order });
      },
      attachPrepayment: (_key, got) => {
        taken.push("attach");
        return okAsync({ ...order, prepayment: got });
      },
      releasePrepayment: (_key, id) => {
        taken.push(`release ${id}`);
        return okAsync(undefined);
      },
      record: (_key, { type, details, evidence }) => {
        taken.push(`${type}: ${details} (${evidence})`);
        return okAsync(true);
      },
      transition: (_key, change) => okAsync({ moved: true, order: { ...order, paymentStatus: change.to } }),
      ...orders,
    }),
    refunds: stub({}),
    payTools: stub({ getCached: () => account }),
    wallets: {
      WALLET_A: stub<Wallet>({
        prepare: (_account, { outTradeNo }, { deadline }) => {
          taken.push(`prepare ${outTradeNo} within ${deadline}`);
          return okAsync(prepayment);
        },
        query: (_account, outTradeNo, { deadline }) => {
          taken.push(`query ${outTradeNo} within ${deadline}`);
          return okAsync(undefined);
        },
        ...answers,
      }),
      WALLET_B: stub({}),
    },
    clock: {
      now: () => now,
      sleep: async (ms) => {
        pauses.push(ms);
        if (clockRuns) now += ms;
      },
    },
    random: { bytes: (count) => new Uint8Array(count) },
    digest: { sha256: (text) => `sha(${text})`, keyed: (text) => [text] },
    observer: { onEvent: ({ type }) => void taken.push(type) },
    policy: { ...defaultPolicy, walletDeadline: 4_000 },
  };
  const prepay = (changes: Partial<Order> = {}) =>
    prepayOrder(
      ports,
      { ...order, ...changes },
      { account, claimId: "mine", request: paymentRequest(order) },
    );
  return { prepay, pauses, taken, order };
}

describe("prepayOrder", () => {
  it("claims the prepayment for the wallet's deadline plus two seconds, calls the wallet, and stores the result", async () => {
    const { prepay, taken, order } = openFixture();
    expect(await orThrow(prepay())).toEqual({ ...order, prepayment });
    expect(taken).toEqual([
      `claim mine until ${NOW + LEASE}`,
      "prepare order-1 within 4000",
      "wallet.called",
      "attach",
    ]);
  });

  it("calls the wallet at once if the order was created with this claim, and not while a prepayment is valid", async () => {
    const fresh = openFixture();
    await fresh.prepay({ prepaymentClaim: { id: "mine", until: 0 } });
    expect(fresh.taken[0]).toBe("prepare order-1 within 4000");
    const stored = openFixture();
    const valid = { ...prepayment, validUntil: NOW + 1 };
    expect((await orThrow(stored.prepay({ prepayment: valid }))).prepayment).toEqual(valid);
    expect(stored.taken).toEqual([]);
    const over = openFixture();
    await over.prepay({ prepayment: { ...prepayment, validUntil: NOW } });
    expect(over.taken).toContain("attach");
  });

  it.each([
    ["runs", true],
    ["stands still", false],
  ] as const)(
    "polls for another caller's result with growing pauses while the clock %s, at most for the duration of a claim",
    async (_what, clockRuns) => {
      const { prepay, pauses, taken } = openFixture(
        { claimPrepayment: () => okAsync({ granted: false, order: anOrder({ expiresAt: 100_000 }) }) },
        {},
        clockRuns,
      );
      expect((await prepay())._unsafeUnwrapErr()).toEqual({ name: "wallet-a.unavailable" });
      expect(pauses.slice(0, 6)).toEqual([5, 10, 20, 40, 80, 100]);
      expect(new Set(pauses.slice(6))).toEqual(new Set([100]));
      const waited = pauses.reduce((sum, pause) => sum + pause, 0);
      expect(waited).toBeGreaterThanOrEqual(LEASE);
      expect(waited).toBeLessThan(LEASE + 100);
      expect(taken).toEqual([]);
    },
  );

  it("returns the prepayment that another process stored, without another pause", async () => {
    const order = anOrder({ expiresAt: 100_000 });
    const answers = [order, { ...order, prepayment }];
    const { prepay, pauses, taken } = openFixture({
      claimPrepayment: () => okAsync({ granted: false, order: answers.shift() ?? order }),
    });
    expect((await orThrow(prepay())).prepayment).toEqual(prepayment);
    expect([pauses, taken]).toEqual([[5], []]);
  });

  it("stops waiting when the order can no longer be paid", async () => {
    const { prepay, pauses } = openFixture({
      claimPrepayment: () => okAsync({ granted: false, order: anOrder({ paymentStatus: "PAID" }) }),
    });
    expect((await prepay())._unsafeUnwrapErr()).toEqual({ name: "order.already-paid" });
    expect(pauses).toEqual([5]);
  });

  it("reports an order that was paid during the last pause as paid", async () => {
    let claims = 0;
    const { prepay, pauses } = openFixture({
      claimPrepayment: () => {
        claims += 1;
        const paid = pauses.reduce((sum, pause) => sum + pause, 0) >= LEASE;
        const order = anOrder({ expiresAt: 100_000, ...(paid && { paymentStatus: "PAID" }) });
        return okAsync({ granted: false, order });
      },
    });
    expect((await prepay())._unsafeUnwrapErr()).toEqual({ name: "order.already-paid" });
    expect(claims).toBeGreaterThan(1);
  });

  it("returns the prepayment that another process stored during the last pause", async () => {
    const { prepay, pauses } = openFixture({
      claimPrepayment: () => {
        const stored = pauses.reduce((sum, pause) => sum + pause, 0) >= LEASE;
        const order = anOrder({ expiresAt: 100_000, ...(stored && { prepayment }) });
        return okAsync({ granted: false, order });
      },
    });
    expect((await orThrow(prepay())).prepayment).toEqual(prepayment);
  });

  it("returns the prepayment that was stored first, and the wallet's if the order is gone", async () => {
    const winner = { ...prepayment, values: { prepayId: "first" } };
    const late = openFixture({
      attachPrepayment: () => okAsync(anOrder({ expiresAt: 100_000, prepayment: winner })),
    });
    expect((await orThrow(late.prepay())).prepayment).toEqual(winner);
    const gone = openFixture({
      claimPrepayment: () => okAsync(undefined),
      attachPrepayment: () => okAsync(undefined),
    });
    const claimed = { prepaymentClaim: { id: "mine", until: 0 } };
    expect(await orThrow(gone.prepay(claimed))).toMatchObject({ id: "order-1", prepayment });
    expect((await gone.prepay())._unsafeUnwrapErr()).toEqual({ name: "wallet-a.unavailable" });
  });

  it("returns no payload for an order that was closed during the call", async () => {
    const { prepay } = openFixture({ attachPrepayment: () => okAsync(anOrder({ paymentStatus: "CLOSE" })) });
    expect((await prepay())._unsafeUnwrapErr()).toEqual({ name: "order.closed" });
  });

  it("releases the claim after a refusal, records the refusal as an alarm, and queries the order", async () => {
    const { prepay, taken } = openFixture({}, { prepare: () => errAsync(REJECTED) });
    expect((await prepay())._unsafeUnwrapErr()).toEqual({ name: "wallet-a.rejected" });
    expect(taken.slice(1)).toEqual([
      "wallet.called",
      "release mine",
      'PREPAYMENT_REJECTED: {"refusal":"not today"} (sha(not today))',
      "order.alarm",
      "query order-1 within 4000",
      "wallet.called",
    ]);
  });

  it("makes no further call after a refusal for `configuration`, nor after an unknown outcome", async () => {
    const wrong = openFixture({}, { prepare: () => errAsync({ ...REJECTED, reason: "configuration" }) });
    expect((await wrong.prepay())._unsafeUnwrapErr()).toEqual({ name: "wallet-a.rejected" });
    expect(wrong.taken.at(-1)).toBe("order.alarm");
    const lost = openFixture({}, { prepare: () => errAsync(LOST) });
    expect((await lost.prepay())._unsafeUnwrapErr()).toEqual({ name: "wallet-a.unavailable" });
    expect(lost.taken.at(-1)).toBe("release mine");
  });

  it("names the missing parameter if the wallet needs the customer's address, and makes no further call", async () => {
    const refusal = { ...REJECTED, reason: "payer-address", detail: "give payerClientIp" } as const;
    const named = openFixture(
      {},
      { prepare: () => errAsync({ ...refusal, parameter: "x-payer-client-ip" }) },
    );
    const failure = { name: "payer-address.invalid", parameter: "x-payer-client-ip" };
    expect((await named.prepay())._unsafeUnwrapErr()).toEqual(failure);
    expect(named.taken).toContain(
      'PREPAYMENT_REJECTED: {"refusal":"give payerClientIp"} (sha(give payerClientIp))',
    );
    expect(named.taken.at(-1)).toBe("order.alarm");
    const unnamed = openFixture({}, { prepare: () => errAsync(refusal) });
    expect((await unnamed.prepay())._unsafeUnwrapErr()).toEqual({ ...failure, parameter: "payerClientIp" });
  });

  it("reports that the order is paid if that is the reason of the wallet's refusal", async () => {
    const stated = {
      state: "PAID",
      outTradeNo: "order-1",
      walletAppId: "wallet-app-1",
      merchantId: "merchant-1",
      amount: 600,
      currency: "CNY",
      evidence: "paid",
    } as const;
    const answers: Partial<Wallet> = {
      prepare: () => errAsync({ ...REJECTED, reason: "paid" }),
      query: () => okAsync(stated),
    };
    expect((await openFixture({}, answers).prepay())._unsafeUnwrapErr()).toEqual({
      name: "order.already-paid",
    });
    const mute = openFixture({}, { ...answers, query: () => errAsync(LOST) });
    expect((await mute.prepay())._unsafeUnwrapErr()).toEqual({ name: "wallet-a.rejected" });
  });
});
