import fc from "fast-check";
import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import type { Wallet, WalletFailure, WalletRefund } from "../wallets/wallet.js";
import { pursueRefund, refreshRefund, type RefundPorts } from "./pursue-refund.js";
import { outRefundNo, type Refund } from "./refund.js";
import type { TimelineEntry, TimelineEvent } from "../orders/timeline.js";
import type { RefundMoved } from "./refund-store.js";
import { account, anOrder, aRefund, stub } from "../testing/stubs.js";

const NOW = 1_000_000;
const PERIOD = 600_000;
const order = anOrder({ paymentStatus: "PAID" });

const requested = aRefund({ nextTryAt: 1 });

const LOST: WalletFailure = { name: "wallet.unknown", cause: "timeout", detail: "" };
const REFUSED: WalletFailure = {
  name: "wallet.rejected",
  reason: "other",
  proven: true,
  detail: "not today",
};
const UNPROVEN: WalletFailure = { ...REFUSED, proven: false };
const ABSENT: WalletFailure = { ...UNPROVEN, reason: "absent", detail: "none" };

function stating(state: WalletRefund["state"], changes: Partial<WalletRefund> = {}): WalletRefund {
  const facts = {
    outTradeNo: "order-1",
    refundNo: "order-1-refund-1",
    merchantId: "merchant-1",
    amount: 200,
  };
  return { state, ...facts, evidence: state, ...changes };
}

/**
 * A store of one refund and a wallet that answers so, with the steps that were taken. An unproven no was heard at `refusedAt`, unless that is
 * absent.
 */
function aWorld(
  answers: Partial<Pick<Wallet, "refund" | "queryRefund">>,
  start: Refund = requested,
  refusedAt?: number,
) {
  let held = start;
  const events: TimelineEvent[] = [];
  const put = (entry: TimelineEntry) => {
    events.push({ ...entry, seq: events.length + 1, previousHash: "", hash: "" });
  };
  const refusal = { type: "REFUND_REFUSED", actor: "wallet", reason: "", alarm: false } as const;
  // One of another refund of the order counts for nothing.
  put({ ...refusal, at: 0, evidence: "refund-0" });
  if (refusedAt !== undefined) put({ ...refusal, at: refusedAt, evidence: "refund-1" });
  const taken: string[] = [];
  const told: string[] = [];
  const moved = (from: readonly Refund["status"][], changes: Partial<Refund>): RefundMoved => {
    const moves = from.includes(held.status);
    if (moves) held = { ...held, ...changes };
    return { moved: moves, refund: held, order };
  };
  const ports: RefundPorts = {
    orders: stub({
      record: (_key, entry) => {
        taken.push(`${entry.alarm ? "alarm" : "note"} ${entry.type}`);
        const known = events.some(({ type, evidence }) => type === entry.type && evidence === entry.evidence);
        if (!known) put(entry);
        return okAsync(!known);
      },
      timeline: () => okAsync(events),
    }),
    refunds: stub({
      markSent: (_key, _refundNo, nextTryAt) => {
        taken.push("sent");
        return okAsync(moved(["REQUESTED"], { status: "SENT", nextTryAt }));
      },
      confirm: () => {
        taken.push("confirmed");
        return okAsync(moved(["REQUESTED", "SENT", "FAILED"], { status: "CONFIRMED" }));
      },
      reject: () => {
        taken.push("failed");
        return okAsync(moved(["REQUESTED", "SENT"], { status: "FAILED" }));
      },
      list: () => okAsync([held]),
      schedule: (_key, _refundNo, nextTryAt) => {
        taken.push(`again at ${nextTryAt}`);
        return okAsync(undefined);
      },
    }),
    payTools: stub({ find: () => okAsync(account) }),
    wallets: {
      WALLET_A: stub({
        refund: (asked, request, limits) => {
          taken.push(`wallet ${request.refundNo}`);
          return answers.refund?.(asked, request, limits) ?? okAsync(stating("CONFIRMED"));
        },
        queryRefund: (asked, request, limits) => {
          taken.push(`book ${request.refundNo}`);
          return answers.queryRefund?.(asked, request, limits) ?? okAsync(undefined);
        },
      }),
      WALLET_B: stub({}),
    },
    clock: { now: () => NOW, sleep: async () => undefined },
    observer: {
      notice: (notice) => {
        if (notice.type === "refund.moved") told.push(`${notice.refundNo} ${notice.to} ${notice.amount}`);
      },
    },
    policy: { ...defaultPolicy, refundRetryInterval: 30_000, unprovenNoPeriod: PERIOD },
  };
  return {
    pursue: (refund = start) => pursueRefund(ports, order, refund),
    refresh: () => refreshRefund(ports, order, start),
    taken,
    told,
  };
}

describe("pursueRefund", () => {
  it("writes SENT down before it calls the wallet, and the answer after", async () => {
    const { pursue, taken } = aWorld({});
    const { refund, definite } = (await pursue())._unsafeUnwrap();
    expect([refund.status, definite]).toEqual(["CONFIRMED", true]);
    expect(taken).toEqual(["sent", "wallet order-1-refund-1", "confirmed"]);
  });

  it("is definite about a refund in process, which is not confirmed yet", async () => {
    const { pursue, taken } = aWorld({ refund: () => okAsync(stating("PROCESSING")) });
    const { refund, definite } = (await pursue())._unsafeUnwrap();
    expect([refund.status, definite]).toEqual(["SENT", true]);
    expect(taken).toEqual(["sent", "wallet order-1-refund-1"]);
  });

  it("repeats a SENT refund under its own number", async () => {
    const { pursue, taken } = aWorld({}, { ...requested, status: "SENT" });
    expect((await pursue())._unsafeUnwrap().refund.status).toBe("CONFIRMED");
    expect(taken).toContain("wallet order-1-refund-1");
  });

  it("tells the observer once how a refund ended", async () => {
    const confirmed = aWorld({});
    await confirmed.pursue();
    await confirmed.pursue();
    expect(confirmed.told).toEqual(["refund-1 CONFIRMED 200"]);
    const refused = aWorld({ refund: () => errAsync(REFUSED) });
    await refused.pursue();
    expect(refused.told).toEqual(["refund-1 FAILED 200"]);
  });

  it.each(["CONFIRMED", "FAILED"] as const)(
    "never sends a refund again that is %s by now",
    async (status) => {
      const { pursue, taken } = aWorld({}, { ...requested, status });
      const stale: Refund = { ...requested, status: "SENT" };
      expect((await pursue(stale))._unsafeUnwrap()).toMatchObject({ refund: { status }, definite: true });
      expect(taken).toEqual(["sent"]);
    },
  );

  it("comes back later after an unknown outcome, without asking the book", async () => {
    const { pursue, taken } = aWorld({ refund: () => errAsync(LOST) });
    const { refund, definite } = (await pursue())._unsafeUnwrap();
    expect([refund.status, definite]).toEqual(["SENT", false]);
    expect(taken).toEqual(["sent", "wallet order-1-refund-1", "again at 1030000"]);
  });

  it.each([
    ["does not know it: it failed", okAsync(undefined), "FAILED", true, ["failed"]],
    ["knows it: it counts", okAsync(stating("CONFIRMED")), "CONFIRMED", true, ["confirmed"]],
    ["says it failed: it failed", okAsync(stating("FAILED")), "FAILED", true, ["failed"]],
    ["cannot be read: it stays open", errAsync(LOST), "SENT", false, ["again at 1030000"]],
  ] as const)(
    "a refusal is settled by the wallet's book, which %s",
    async (_what, known, status, definite, end) => {
      const { pursue, taken } = aWorld({ refund: () => errAsync(REFUSED), queryRefund: () => known });
      expect((await pursue())._unsafeUnwrap()).toMatchObject({ refund: { status }, definite });
      expect(taken).toEqual(["sent", "wallet order-1-refund-1", "book order-1-refund-1", ...end]);
    },
  );

  it.each([
    ["the refusal", UNPROVEN, okAsync(undefined)],
    ["the absence", REFUSED, errAsync(ABSENT)],
    ["either", UNPROVEN, errAsync(ABSENT)],
  ] as const)("a no ends nothing at first when nothing proves %s", async (_what, refusal, known) => {
    const answers = { refund: () => errAsync(refusal), queryRefund: () => known };
    const { pursue, taken, told } = aWorld(answers);
    expect((await pursue())._unsafeUnwrap()).toMatchObject({ refund: { status: "SENT" }, definite: false });
    expect(taken.slice(-2)).toEqual(["note REFUND_REFUSED", "again at 1030000"]);
    expect(told).toEqual([]);
    const soon = aWorld(answers, requested, NOW - PERIOD + 1);
    expect((await soon.pursue())._unsafeUnwrap()).toMatchObject({ refund: { status: "SENT" } });
    const late = aWorld(answers, requested, NOW - PERIOD);
    expect((await late.pursue())._unsafeUnwrap()).toMatchObject({
      refund: { status: "FAILED" },
      definite: true,
    });
  });

  it("an unproven no that has stood does not outweigh the wallet's book, nor a book that cannot be read", async () => {
    const refund = () => errAsync(UNPROVEN);
    const made = aWorld({ refund, queryRefund: () => okAsync(stating("CONFIRMED")) }, requested, 0);
    expect((await made.pursue())._unsafeUnwrap()).toMatchObject({ refund: { status: "CONFIRMED" } });
    const lost = aWorld({ refund, queryRefund: () => errAsync(LOST) }, requested, 0);
    expect((await lost.pursue())._unsafeUnwrap()).toMatchObject({
      refund: { status: "SENT" },
      definite: false,
    });
  });

  it.each([{ amount: 201 }, { merchantId: "another" }, { outTradeNo: "order-2" }])(
    "is an alarm and no confirmation when the answer is about something else: %o",
    async (lie) => {
      const { pursue, taken } = aWorld({ refund: () => okAsync(stating("CONFIRMED", lie)) });
      expect((await pursue())._unsafeUnwrap()).toMatchObject({ refund: { status: "SENT" }, definite: false });
      expect(taken).toEqual(["sent", "wallet order-1-refund-1", "alarm MISMATCH"]);
    },
  );
});

describe("outRefundNo", () => {
  const part = (longest: number) => fc.stringMatching(new RegExp(`^[0-9A-Za-z_-]{1,${longest}}$`));
  const id = fc.stringMatching(/^[0-9A-Za-z]{1,32}$/);

  it("fits both wallets, for every order and every number that is taken", () => {
    fc.assert(
      fc.property(id, part(31), (orderId, refundNo) => {
        expect(outRefundNo({ id: orderId }, { refundNo })).toMatch(/^[0-9A-Za-z_-]{1,64}$/);
      }),
    );
  });

  it("is different for every other order and every other number", () => {
    fc.assert(
      fc.property(id, part(31), id, part(31), (left, leftNo, right, rightNo) => {
        const same =
          outRefundNo({ id: left }, { refundNo: leftNo }) ===
          outRefundNo({ id: right }, { refundNo: rightNo });
        expect(same).toBe(left === right && leftNo === rightNo);
      }),
    );
  });
});

describe("refreshRefund", () => {
  it.each(["REQUESTED", "SENT", "FAILED"] as const)(
    "takes over that one %s here was done",
    async (status) => {
      const { refresh, taken } = aWorld(
        { queryRefund: () => okAsync(stating("CONFIRMED")) },
        { ...requested, status },
      );
      expect((await refresh())._unsafeUnwrap().status).toBe("CONFIRMED");
      expect(taken.slice(0, 2)).toEqual(["book order-1-refund-1", "confirmed"]);
    },
  );

  it("moves nothing when the wallet knows none, or does not answer, and never asks for the refund", async () => {
    const unknown = aWorld({});
    expect((await unknown.refresh())._unsafeUnwrap()).toEqual(requested);
    const silent = aWorld({ queryRefund: () => errAsync(LOST) });
    expect((await silent.refresh())._unsafeUnwrapErr()).toEqual(LOST);
    for (const { taken } of [unknown, silent]) expect(taken).toEqual(["book order-1-refund-1"]);
  });
});
