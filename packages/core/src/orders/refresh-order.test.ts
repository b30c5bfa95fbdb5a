import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import type { Wallet, WalletFailure, WalletOrder } from "../wallets/wallet.js";
import type { Order } from "./order.js";
import { refreshOrder, type RefreshPorts } from "./refresh-order.js";
import { account, anOrder, stub } from "../testing/stubs.js";

const EXPIRES_AT = 10_000;
const OVER = EXPIRES_AT + defaultPolicy.expiryMargin;

const pending = anOrder({ expiresAt: EXPIRES_AT });

const BELIEVED = OVER + defaultPolicy.unprovenNoPeriod;
const ABSENT: WalletFailure = { name: "wallet.rejected", reason: "absent", proven: false, detail: "404" };
const LOST: WalletFailure = { name: "wallet.unknown", cause: "timeout", detail: "" };

function stating(state: WalletOrder["state"]): WalletOrder {
  const facts = { outTradeNo: "order-1", walletAppId: "wallet-app-1", merchantId: "merchant-1", amount: 600 };
  return { state, ...facts, currency: "CNY", evidence: state };
}

/** A world at one time with a wallet that answers so; every call takes it `slowness` milliseconds. */
function aWorld(at: number, answers: Partial<Pick<Wallet, "query" | "close">>, slowness = 0) {
  let now = at;
  const calls: (readonly [call: string, deadline: number])[] = [];
  const takingTime = (name: string, deadline: number) => {
    calls.push([name, deadline]);
    now += slowness;
  };
  const wallet: Wallet = stub({
    query: (asked, outTradeNo, limits) => {
      takingTime("query", limits.deadline);
      return answers.query?.(asked, outTradeNo, limits) ?? okAsync(undefined);
    },
    close: (asked, outTradeNo, limits) => {
      takingTime("close", limits.deadline);
      return answers.close?.(asked, outTradeNo, limits) ?? okAsync("closed" as const);
    },
  });
  const ports: RefreshPorts = {
    orders: stub({
      transition: (_key, change) => okAsync({ moved: true, order: { ...pending, paymentStatus: change.to } }),
    }),
    refunds: stub({}),
    payTools: stub({ find: () => okAsync(account) }),
    wallets: { WALLET_A: wallet, WALLET_B: stub({}) },
    clock: { now: () => now, sleep: async () => undefined },
    random: { bytes: (count) => new Uint8Array(count) },
    observer: { notice: () => undefined },
    policy: defaultPolicy,
  };
  return { ports, calls };
}

describe("refreshOrder", () => {
  it("asks nobody about an order that is settled", async () => {
    const { ports, calls } = aWorld(0, {});
    for (const paymentStatus of ["PAID", "REFUND"] as const) {
      const settled: Order = { ...pending, paymentStatus };
      expect((await refreshOrder(ports, settled, 800))._unsafeUnwrap()).toBe(settled);
    }
    expect(calls).toEqual([]);
  });

  it("leaves an unpaid order PENDING until its time and the margin are over, then closes it at the wallet first", async () => {
    const open = { query: () => okAsync(stating("OPEN")) };
    const early = aWorld(OVER - 1, open);
    expect((await refreshOrder(early.ports, pending, 800))._unsafeUnwrap()).toEqual(pending);
    expect(early.calls.map(([call]) => call)).toEqual(["query"]);
    const late = aWorld(OVER, open);
    const closed = await refreshOrder(late.ports, pending, 800);
    expect(closed._unsafeUnwrap().paymentStatus).toBe("CLOSE");
    expect(late.calls.map(([call]) => call)).toEqual(["query", "close"]);
  });

  it("closes an order the wallet never had without asking it to", async () => {
    const { ports, calls } = aWorld(OVER, {});
    expect((await refreshOrder(ports, pending, 800))._unsafeUnwrap().paymentStatus).toBe("CLOSE");
    expect(calls.map(([call]) => call)).toEqual(["query"]);
  });

  it("closes an order on an unproven absence only once the time for that is over too", async () => {
    const query = () => errAsync(ABSENT);
    for (const early of [0, OVER, BELIEVED - 1]) {
      const { ports, calls } = aWorld(early, { query });
      expect((await refreshOrder(ports, pending, 800))._unsafeUnwrap()).toEqual(pending);
      expect(calls.map(([call]) => call)).toEqual(["query"]);
    }
    const { ports } = aWorld(BELIEVED, { query });
    expect((await refreshOrder(ports, pending, 800))._unsafeUnwrap().paymentStatus).toBe("CLOSE");
  });

  it("does not take an unproven absence for the last word on a closed order before then", async () => {
    const closed: Order = { ...pending, paymentStatus: "CLOSE" };
    const query = () => errAsync(ABSENT);
    const early = aWorld(BELIEVED - 1, { query });
    expect((await refreshOrder(early.ports, closed, 800))._unsafeUnwrapErr()).toEqual(ABSENT);
    const late = aWorld(BELIEVED, { query });
    expect((await refreshOrder(late.ports, closed, 800))._unsafeUnwrap()).toEqual(closed);
  });

  it("believes an unproven absence no sooner when the wallet is told to close", async () => {
    const answers = { query: () => okAsync(stating("OPEN")), close: () => errAsync(ABSENT) };
    const early = aWorld(BELIEVED - 1, answers);
    expect((await refreshOrder(early.ports, pending, 800))._unsafeUnwrapErr()).toEqual(ABSENT);
    const late = aWorld(BELIEVED, answers);
    expect((await refreshOrder(late.ports, pending, 800))._unsafeUnwrap().paymentStatus).toBe("CLOSE");
  });

  it("finds the payment that was faster than the closing", async () => {
    const statements = [stating("OPEN"), stating("PAID")];
    const { ports } = aWorld(OVER, {
      query: () => okAsync(statements.shift()),
      close: () => okAsync("paid"),
    });
    expect((await refreshOrder(ports, pending, 800))._unsafeUnwrap().paymentStatus).toBe("PAID");
  });

  it("closes nothing while the wallet does not say, neither when asked nor when told to close", async () => {
    const deaf = aWorld(OVER, { query: () => errAsync(LOST) });
    expect((await refreshOrder(deaf.ports, pending, 800))._unsafeUnwrapErr()).toEqual(LOST);
    const mute = aWorld(OVER, { query: () => okAsync(stating("OPEN")), close: () => errAsync(LOST) });
    expect((await refreshOrder(mute.ports, pending, 800))._unsafeUnwrapErr()).toEqual(LOST);
  });

  it("gives all calls together no longer than the deadline", async () => {
    const { ports, calls } = aWorld(OVER, { query: () => okAsync(stating("OPEN")) }, 500);
    await refreshOrder(ports, pending, 800);
    expect(calls).toEqual([
      ["query", 800],
      ["close", 300],
    ]);
  });

  it("makes an adapter that throws an unknown outcome", async () => {
    const { ports } = aWorld(OVER, {
      query: () => {
        throw new Error("a bug");
      },
    });
    expect((await refreshOrder(ports, pending, 800))._unsafeUnwrapErr()).toMatchObject({
      name: "wallet.unknown",
    });
  });
});
