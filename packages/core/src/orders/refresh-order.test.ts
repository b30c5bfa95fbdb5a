import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import type { Wallet, WalletFailure, WalletOrder } from "../wallets/wallet.js";
import type { Order } from "./order.js";
import type { OrderTransition } from "./order-store.js";
import { closeAtWallet } from "./close-unpaid-order.js";
import { refreshOrder, type RefreshPorts } from "./refresh-order.js";
import { orThrow } from "../errors/or-throw.js";
import { account, anOrder, stub } from "../testing/stubs.js";

const EXPIRES_AT = 10_000;
const OVER = EXPIRES_AT + defaultPolicy.expiryMargin;

const pending = anOrder({ expiresAt: EXPIRES_AT });

const BELIEVED = OVER + defaultPolicy.unsignedRefusalDelay;
const ABSENT: WalletFailure = { name: "wallet.rejected", reason: "absent", trusted: false, detail: "404" };
const LOST: WalletFailure = { name: "wallet.unknown", cause: "timeout", detail: "" };

function stating(state: WalletOrder["state"], changes: Partial<WalletOrder> = {}): WalletOrder {
  const facts = { outTradeNo: "order-1", walletAppId: "wallet-app-1", merchantId: "merchant-1", amount: 600 };
  return { state, ...facts, currency: "CNY", evidence: state, ...changes };
}

/** A test environment at one time. Every call to the wallet takes `slowness` milliseconds. */
function openFixture(at: number, answers: Partial<Pick<Wallet, "query" | "close">>, slowness = 0) {
  let now = at;
  const calls: (readonly [call: string, deadline: number])[] = [];
  const changes: OrderTransition[] = [];
  const reported: string[] = [];
  const takingTime = (name: string, deadline: number) => {
    calls.push([name, deadline]);
    now += slowness;
  };
  const wallet: Wallet = stub({
    query: (requested, outTradeNo, limits) => {
      takingTime("query", limits.deadline);
      return answers.query?.(requested, outTradeNo, limits) ?? okAsync(undefined);
    },
    close: (requested, outTradeNo, limits) => {
      takingTime("close", limits.deadline);
      return answers.close?.(requested, outTradeNo, limits) ?? okAsync("closed" as const);
    },
  });
  const ports: RefreshPorts = {
    orders: stub({
      transition: (_key, change) => {
        changes.push(change);
        return okAsync({ moved: true, order: { ...pending, paymentStatus: change.to } });
      },
      record: (_key, { type }) => {
        reported.push(type);
        return okAsync(false);
      },
    }),
    refunds: stub({}),
    payTools: stub({ getCached: () => account }),
    wallets: { WALLET_A: wallet, WALLET_B: stub({}) },
    clock: { now: () => now, sleep: async () => undefined },
    random: { bytes: (count) => new Uint8Array(count) },
    observer: { onEvent: (event) => event.type === "wallet.called" && reported.push(event.call) },
    policy: defaultPolicy,
  };
  return { ports, calls, changes, reported };
}

function closure(at: number, atWallet: string, actor = "expiry", reason = ""): OrderTransition {
  const details = JSON.stringify({ atWallet });
  const move = { from: "PENDING", to: "CLOSE" } as const;
  const entry = { type: "CLOSED", reason, details, at, actor, ...move, alarm: false } as const;
  return { from: "PENDING", to: "CLOSE", at, entry };
}

describe("refreshOrder", () => {
  it("does not query an order in a final status", async () => {
    const { ports, calls } = openFixture(0, {});
    for (const paymentStatus of ["PAID", "REFUND"] as const) {
      const settled: Order = { ...pending, paymentStatus };
      expect(await orThrow(refreshOrder(ports, settled, 800))).toBe(settled);
    }
    expect(calls).toEqual([]);
  });

  it("leaves an unpaid order PENDING until it has expired and the margin has passed, then closes it at the wallet first", async () => {
    const open = { query: () => okAsync(stating("OPEN")) };
    const early = openFixture(OVER - 1, open);
    expect(await orThrow(refreshOrder(early.ports, pending, 800))).toEqual(pending);
    expect(early.calls.map(([call]) => call)).toEqual(["query"]);
    const late = openFixture(OVER, open);
    const closed = await refreshOrder(late.ports, pending, 800);
    expect(orThrow(closed).paymentStatus).toBe("CLOSE");
    expect(late.calls.map(([call]) => call)).toEqual(["query", "close"]);
    expect(late.changes).toStrictEqual([closure(OVER, "closed")]);
    expect(late.reported).toEqual(["query", "close"]);
  });

  it("closes an order that the wallet never had, without a close call", async () => {
    const { ports, calls, changes } = openFixture(OVER, {});
    expect((await orThrow(refreshOrder(ports, pending, 800))).paymentStatus).toBe("CLOSE");
    expect(calls.map(([call]) => call)).toEqual(["query"]);
    expect(changes).toStrictEqual([closure(OVER, "absent")]);
  });

  it("applies the wallet's closure, and makes no further call", async () => {
    const { ports, calls, changes, reported } = openFixture(OVER, {
      query: () => okAsync(stating("CLOSED")),
    });
    expect((await orThrow(refreshOrder(ports, pending, 800))).paymentStatus).toBe("CLOSE");
    expect(calls.map(([call]) => call)).toEqual(["query"]);
    expect(changes).toMatchObject([{ entry: { actor: "wallet", details: '{"source":"query"}' } }]);
    expect(reported).toEqual(["query"]);
  });

  it("does not close an order because of a statement about another payment", async () => {
    const { ports, calls, changes, reported } = openFixture(OVER, {
      query: () => okAsync(stating("OPEN", { merchantId: "another" })),
    });
    expect(await orThrow(refreshOrder(ports, pending, 800))).toEqual(pending);
    expect([calls.length, changes, reported]).toEqual([1, [], ["query", "MISMATCH"]]);
  });

  it.each([
    ["states that the order is open", stating("OPEN")],
    ["has no record of the order", undefined],
  ])("leaves an order CLOSE if the wallet %s", async (_what, stated) => {
    const closed: Order = { ...pending, paymentStatus: "CLOSE" };
    const { ports, calls, changes } = openFixture(OVER, { query: () => okAsync(stated) });
    expect(await orThrow(refreshOrder(ports, closed, 800))).toEqual(closed);
    expect([calls.length, changes]).toEqual([1, []]);
  });

  it("closes an order on an unsigned absence only after policy.unsignedRefusalDelay", async () => {
    const query = () => errAsync(ABSENT);
    for (const early of [0, OVER, BELIEVED - 1]) {
      const { ports, calls } = openFixture(early, { query });
      expect(await orThrow(refreshOrder(ports, pending, 800))).toEqual(pending);
      expect(calls.map(([call]) => call)).toEqual(["query"]);
    }
    const { ports, changes } = openFixture(BELIEVED, { query });
    expect((await orThrow(refreshOrder(ports, pending, 800))).paymentStatus).toBe("CLOSE");
    expect(changes).toStrictEqual([closure(BELIEVED, "absent-unsigned")]);
  });

  it("does not accept an unsigned absence as the last answer about a closed order before the delay", async () => {
    const closed: Order = { ...pending, paymentStatus: "CLOSE" };
    const query = () => errAsync(ABSENT);
    const early = openFixture(BELIEVED - 1, { query });
    expect((await refreshOrder(early.ports, closed, 800))._unsafeUnwrapErr()).toEqual(ABSENT);
    const late = openFixture(BELIEVED, { query });
    expect(await orThrow(refreshOrder(late.ports, closed, 800))).toEqual(closed);
  });

  it("applies the same delay if the close call gets an unsigned absence", async () => {
    const answers = { query: () => okAsync(stating("OPEN")), close: () => errAsync(ABSENT) };
    const early = openFixture(BELIEVED - 1, answers);
    expect((await refreshOrder(early.ports, pending, 800))._unsafeUnwrapErr()).toEqual(ABSENT);
    const late = openFixture(BELIEVED, answers);
    expect((await orThrow(refreshOrder(late.ports, pending, 800))).paymentStatus).toBe("CLOSE");
  });

  it("uses the start of the query as the time of the answer, however late the answer arrives", async () => {
    const halted = 10 * defaultPolicy.unsignedRefusalDelay;
    const never = openFixture(OVER - 1, {}, halted);
    expect(await orThrow(refreshOrder(never.ports, pending, 800))).toEqual(pending);
    const absent = openFixture(BELIEVED - 1, { query: () => errAsync(ABSENT) }, halted);
    expect(await orThrow(refreshOrder(absent.ports, pending, 800))).toEqual(pending);
    const answers = { query: () => okAsync(stating("OPEN")), close: () => errAsync(ABSENT) };
    const reported = openFixture(BELIEVED - 2, answers, 1);
    expect((await refreshOrder(reported.ports, pending, 800))._unsafeUnwrapErr()).toEqual(ABSENT);
  });

  it("applies a payment that arrives before the close call", async () => {
    const statements = [stating("OPEN"), stating("PAID")];
    const { ports } = openFixture(OVER, {
      query: () => okAsync(statements.shift()),
      close: () => okAsync("paid"),
    });
    expect((await orThrow(refreshOrder(ports, pending, 800))).paymentStatus).toBe("PAID");
  });

  it("does not close an order while the outcome of a query or a close is unknown", async () => {
    const deaf = openFixture(OVER, { query: () => errAsync(LOST) });
    expect((await refreshOrder(deaf.ports, pending, 800))._unsafeUnwrapErr()).toEqual(LOST);
    const mute = openFixture(OVER, { query: () => okAsync(stating("OPEN")), close: () => errAsync(LOST) });
    expect((await refreshOrder(mute.ports, pending, 800))._unsafeUnwrapErr()).toEqual(LOST);
  });

  it("limits all calls together to the deadline", async () => {
    const { ports, calls } = openFixture(OVER, { query: () => okAsync(stating("OPEN")) }, 500);
    await refreshOrder(ports, pending, 800);
    expect(calls).toEqual([
      ["query", 800],
      ["close", 300],
    ]);
  });

  it("gives the last call one millisecond if the earlier calls have used up the time", async () => {
    const statements = [stating("OPEN"), stating("PAID")];
    const answers = { query: () => okAsync(statements.shift()), close: () => okAsync("paid" as const) };
    const { ports, calls, reported } = openFixture(OVER, answers, 500);
    await refreshOrder(ports, pending, 800);
    expect(calls).toEqual([
      ["query", 800],
      ["close", 300],
      ["query", 1],
    ]);
    expect(reported).toEqual(["query", "close", "query"]);
  });

  it("treats an adapter that throws as an unknown outcome", async () => {
    const { ports } = openFixture(OVER, {
      query: () => {
        throw new Error("a bug");
      },
    });
    expect((await refreshOrder(ports, pending, 800))._unsafeUnwrapErr()).toMatchObject({
      name: "wallet.unknown",
    });
  });
});

describe("closeAtWallet", () => {
  const by = { actor: "operator:han", reason: "asked to", until: 1_000 };

  it("schedules a query of an unknown order for the time when its payload has expired", async () => {
    const absent = { close: () => okAsync("absent" as const) };
    const early = openFixture(OVER - 1, absent);
    expect((await closeAtWallet(early.ports, pending, account, by)).isOk()).toBe(true);
    const yet = closure(OVER - 1, "not-there-yet", by.actor, by.reason);
    expect(early.changes).toStrictEqual([{ ...yet, nextQueryAt: OVER }]);
    const late = openFixture(OVER, absent);
    expect((await closeAtWallet(late.ports, pending, account, by)).isOk()).toBe(true);
    expect(late.changes).toStrictEqual([closure(OVER, "absent", by.actor, by.reason)]);
  });

  it.each([
    ["has no record of it", undefined],
    ["reports it as open", stating("OPEN")],
    ["reports another payment", stating("PAID", { amount: 601 })],
  ])("accepts no payment that the wallet's answer does not confirm: the wallet %s", async (_what, stated) => {
    const { ports, changes } = openFixture(0, { query: () => okAsync(stated), close: () => okAsync("paid") });
    expect((await closeAtWallet(ports, pending, account, by))._unsafeUnwrapErr()).toEqual({
      name: "wallet.unknown",
      cause: "unverified",
      detail: "the wallet reports the order as paid, but its signed data does not confirm that",
    });
    expect(changes).toEqual([]);
  });
});
