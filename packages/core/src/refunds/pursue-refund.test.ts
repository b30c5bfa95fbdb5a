import fc from "fast-check";
import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import type { Wallet, WalletFailure, WalletRefund } from "../wallets/wallet.js";
import { pursueRefund, refreshRefund, type RefundPorts } from "./pursue-refund.js";
import { outRefundNo, type Refund } from "./refund.js";
import type { TimelineEntry, TimelineEvent } from "../orders/timeline.js";
import type { RefundMoved, RefundStore } from "./refund-store.js";
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
 * absent. `lost` are verbs of the store that find no refund any more. A call of the wallet takes it `slowness` milliseconds.
 */
function aWorld(
  answers: Partial<Pick<Wallet, "refund" | "queryRefund">>,
  start: Refund = requested,
  refusedAt?: number,
  lost: Partial<RefundStore> = {},
  slowness = 0,
) {
  let held = start;
  let now = NOW;
  const events: TimelineEvent[] = [];
  const put = (entry: TimelineEntry) => {
    events.push({ ...entry, seq: events.length + 1, previousHash: "", hash: "" });
  };
  const refusal = { type: "REFUND_REFUSED", actor: "wallet", reason: "", alarm: false } as const;
  // One of another refund of the order counts for nothing, nor does anything else that happened to this one.
  put({ ...refusal, at: 0, evidence: "refund-0" });
  put({ ...refusal, type: "REFUND_REQUESTED", at: 0, evidence: "refund-1" });
  if (refusedAt !== undefined) put({ ...refusal, at: refusedAt, evidence: "refund-1" });
  const taken: string[] = [];
  const told: string[] = [];
  const deadlines: number[] = [];
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
      confirm: (_key, _refundNo, { entry }) => {
        taken.push("confirmed");
        const result = moved(["REQUESTED", "SENT", "FAILED"], { status: "CONFIRMED" });
        if (result.moved) put(entry);
        return okAsync(result);
      },
      reject: (_key, _refundNo, _at, entry) => {
        taken.push("failed");
        const result = moved(["REQUESTED", "SENT"], { status: "FAILED" });
        if (result.moved) put(entry);
        return okAsync(result);
      },
      list: () => okAsync([{ ...requested, refundNo: "refund-0", status: "FAILED" }, held]),
      schedule: (_key, _refundNo, nextTryAt) => {
        taken.push(`again at ${nextTryAt}`);
        return okAsync(undefined);
      },
      ...lost,
    }),
    payTools: stub({ recall: () => account }),
    wallets: {
      WALLET_A: stub({
        refund: (asked, request, limits) => {
          now += slowness;
          taken.push(`wallet ${request.refundNo}`);
          deadlines.push(limits.deadline);
          return answers.refund?.(asked, request, limits) ?? okAsync(stating("CONFIRMED"));
        },
        queryRefund: (asked, request, limits) => {
          taken.push(`book ${request.refundNo}`);
          deadlines.push(limits.deadline);
          return answers.queryRefund?.(asked, request, limits) ?? okAsync(undefined);
        },
      }),
      WALLET_B: stub({}),
    },
    clock: { now: () => now, sleep: async () => undefined },
    observer: {
      notice: (notice) => {
        if (notice.type === "refund.moved") told.push(`${notice.refundNo} ${notice.to} ${notice.amount}`);
        else if (notice.type === "wallet.called") told.push(`${notice.call} ${notice.outcome}`);
        else told.push(notice.type === "order.alarm" ? `alarm ${notice.event}` : notice.type);
      },
    },
    policy: {
      ...defaultPolicy,
      walletDeadline: 4_000,
      refundRetryInterval: 30_000,
      unprovenNoPeriod: PERIOD,
    },
  };
  return {
    pursue: (refund = start) => pursueRefund(ports, order, refund),
    refresh: () => refreshRefund(ports, order, start),
    taken,
    told,
    deadlines,
    held: () => held,
    lastEvent: () => events.at(-1),
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
    const confirmed = aWorld({ queryRefund: () => okAsync(stating("CONFIRMED")) });
    await confirmed.pursue();
    await confirmed.pursue();
    await confirmed.refresh();
    expect(confirmed.told).toEqual(["refund ok", "refund-1 CONFIRMED 200", "queryRefund ok"]);
    const refused = aWorld({
      refund: () => errAsync(REFUSED),
      queryRefund: () => okAsync(stating("FAILED")),
    });
    await refused.pursue();
    await refused.refresh();
    const ended = ["refund rejected", "queryRefund ok", "refund-1 FAILED 200", "alarm REFUND_FAILED"];
    expect(refused.told).toEqual([...ended, "queryRefund ok"]);
  });

  it("gives the wallet its time for every call, and comes back after that if this process dies", async () => {
    const { pursue, refresh, deadlines, held } = aWorld({ refund: () => errAsync(REFUSED) });
    await pursue();
    await refresh();
    expect(deadlines).toEqual([4_000, 4_000, 4_000]);
    expect(held().nextTryAt).toBe(NOW + 4_000 + 30_000);
  });

  it("says on the timeline what the wallet said and whether a person must look", async () => {
    const confirmed = aWorld({});
    await confirmed.pursue();
    expect(confirmed.lastEvent()).toMatchObject({
      type: "REFUND_CONFIRMED",
      actor: "wallet",
      reason: "refund refund-1 of 200 cents is confirmed",
      evidence: "CONFIRMED",
      alarm: false,
    });
    const failed = aWorld({ refund: () => okAsync(stating("FAILED")) });
    await failed.pursue();
    expect(failed.lastEvent()).toMatchObject({
      type: "REFUND_FAILED",
      actor: "wallet",
      reason: "refund refund-1 failed: the wallet could not refund it",
      alarm: true,
    });
    const open = aWorld({ refund: () => errAsync(UNPROVEN) });
    await open.pursue();
    expect(open.lastEvent()).toMatchObject({
      type: "REFUND_REFUSED",
      actor: "wallet",
      reason: "refund refund-1 is refused, and no signature proves it: not today",
      alarm: false,
    });
  });

  it("asks the wallet for nothing when the refund is gone, and tells nobody of one that goes meanwhile", async () => {
    const gone = () => okAsync(undefined);
    const before = aWorld({}, requested, undefined, { markSent: gone });
    expect((await before.pursue())._unsafeUnwrap()).toEqual({ refund: requested, definite: true });
    expect(before.taken).toEqual([]);
    const unconfirmed = aWorld({}, requested, undefined, { confirm: gone });
    expect((await unconfirmed.pursue()).isOk()).toBe(true);
    expect(unconfirmed.told).toEqual(["refund ok"]);
    const failing = { refund: () => okAsync(stating("FAILED")) };
    const unrejected = aWorld(failing, requested, undefined, { reject: gone });
    expect((await unrejected.pursue()).isOk()).toBe(true);
    expect(unrejected.told).toEqual(["refund ok"]);
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
    expect(told).toEqual(["refund rejected", expect.stringMatching(/^queryRefund/)]);
    const soon = aWorld(answers, requested, NOW - PERIOD + 1);
    expect((await soon.pursue())._unsafeUnwrap()).toMatchObject({ refund: { status: "SENT" } });
    const late = aWorld(answers, requested, NOW - PERIOD);
    expect((await late.pursue())._unsafeUnwrap()).toMatchObject({
      refund: { status: "FAILED" },
      definite: true,
    });
  });

  it("takes an unproven no to be as old as its question, however late it is heard", async () => {
    const answers = { refund: () => errAsync(UNPROVEN), queryRefund: () => okAsync(undefined) };
    const halted = aWorld(answers, requested, NOW - PERIOD + 1, {}, 2 * PERIOD);
    expect((await halted.pursue())._unsafeUnwrap()).toMatchObject({ refund: { status: "SENT" } });
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
      const { pursue, taken, lastEvent } = aWorld({ refund: () => okAsync(stating("CONFIRMED", lie)) });
      expect((await pursue())._unsafeUnwrap()).toMatchObject({ refund: { status: "SENT" }, definite: false });
      expect(taken).toEqual(["sent", "wallet order-1-refund-1", "alarm MISMATCH"]);
      expect(lastEvent()?.reason).toContain("refund order-1-refund-1 does not fit");
    },
  );

  it("is an alarm and no confirmation when the answer is about a refund that was not made here", async () => {
    const { pursue, taken, lastEvent } = aWorld({
      refund: () => okAsync(stating("CONFIRMED", { refundNo: "order-1-refund-9" })),
    });
    expect((await pursue())._unsafeUnwrap()).toMatchObject({ refund: { status: "SENT" }, definite: false });
    expect(taken).toEqual(["sent", "wallet order-1-refund-1", "alarm UNKNOWN_REFUND"]);
    expect(lastEvent()?.reason).toContain("refund order-1-refund-9, which was not made here");
  });
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

  it("takes nothing back when the wallet says failed after it had confirmed, and raises an alarm of this refund", async () => {
    const { refresh, taken, lastEvent } = aWorld(
      { queryRefund: () => okAsync(stating("FAILED")) },
      { ...requested, status: "CONFIRMED" },
    );
    expect((await refresh())._unsafeUnwrap().status).toBe("CONFIRMED");
    expect(taken).toEqual(["book order-1-refund-1", "failed", "alarm MISMATCH"]);
    expect(lastEvent()).toMatchObject({ actor: "wallet", evidence: "failed refund-1" });
    expect(lastEvent()?.reason).toContain("refund refund-1 failed, after it had confirmed it");
  });

  it("tells of a confirmation after a failure as an alarm", async () => {
    const { refresh, told, lastEvent } = aWorld(
      { queryRefund: () => okAsync(stating("CONFIRMED")) },
      { ...requested, status: "FAILED" },
    );
    await refresh();
    expect(told).toEqual(["queryRefund ok", "refund-1 CONFIRMED 200", "alarm REFUND_CONFIRMED"]);
    expect(lastEvent()).toMatchObject({ type: "REFUND_CONFIRMED", alarm: true });
    expect(lastEvent()?.reason).toContain("is confirmed, after it had failed");
  });

  it("moves nothing when the wallet knows none, or does not answer, and never asks for the refund", async () => {
    const unknown = aWorld({});
    expect((await unknown.refresh())._unsafeUnwrap()).toEqual(requested);
    const silent = aWorld({ queryRefund: () => errAsync(LOST) });
    expect((await silent.refresh())._unsafeUnwrapErr()).toEqual(LOST);
    for (const { taken } of [unknown, silent]) expect(taken).toEqual(["book order-1-refund-1"]);
  });
});
