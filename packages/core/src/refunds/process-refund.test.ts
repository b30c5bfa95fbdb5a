import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import type { Wallet } from "../wallets/wallet.js";
import {
  ABSENT,
  openRefundFixture,
  BUSY,
  LOST,
  NOW,
  OUT_OF_FUNDS,
  PERIOD,
  REFUSED,
  requested,
  stating,
  UNTRUSTED,
} from "../testing/refund-fixture.js";
import type { Refund } from "./refund.js";
import { orThrow } from "../errors/or-throw.js";

const MINUTE = 60_000;
const sent: Refund = { ...requested, status: "SENT", gmtModified: NOW - 5 * MINUTE };
const SEND = "wallet order-1-refund-1";
const ASK = "book order-1-refund-1";

describe("processRefund: a REQUESTED refund", () => {
  it("is marked SENT before the wallet is called, and changed by the answer afterwards", async () => {
    const { pursue, taken } = openRefundFixture({});
    const { refund, definite } = await orThrow(pursue());
    expect([refund.status, definite]).toEqual(["CONFIRMED", true]);
    expect(taken).toEqual(["sent with a claim", SEND, "confirmed"]);
  });

  it("is queried before it is sent, unless the wallet has just stated that its number is unused", async () => {
    const unknown = openRefundFixture({});
    await unknown.poll();
    expect(unknown.taken).toEqual(["sent", ASK, "claim", SEND, "confirmed"]);
    const lost = openRefundFixture({ queryRefund: () => okAsync(stating("CONFIRMED")) });
    await lost.poll();
    expect(lost.taken).toEqual(["sent", ASK, "confirmed"]);
  });

  it("is SENT while the wallet processes it, with a definite outcome, and is queried a minute later", async () => {
    const { pursue, taken } = openRefundFixture({ refund: () => okAsync(stating("PROCESSING")) });
    const { refund, definite } = await orThrow(pursue());
    expect([refund.status, definite]).toEqual(["SENT", true]);
    expect(taken).toEqual(["sent with a claim", SEND, `again at ${NOW + MINUTE}`]);
  });

  it.each([
    ["processes it", okAsync(stating("PROCESSING"))],
    ["gives no answer", errAsync(LOST)],
  ])("is queried a minute after it became SENT if the wallet is slow and %s", async (_case, answer) => {
    const { pursue, held: stored } = openRefundFixture({ refund: () => answer }, { slowness: 4_000 });
    await orThrow(pursue());
    expect(stored()).toMatchObject({ status: "SENT", gmtModified: NOW, nextTryAt: NOW + MINUTE });
  });

  it("sets a due time in case this process dies, and gives every call its deadline", async () => {
    const {
      pursue,
      refresh,
      deadlines,
      held: stored,
    } = openRefundFixture({ refund: () => errAsync(REFUSED) });
    await pursue();
    await refresh();
    expect(deadlines).toEqual([4_000, 4_000, 4_000]);
    expect(stored().nextTryAt).toBe(NOW + MINUTE);
  });

  it("is queried if another worker has sent it meanwhile", async () => {
    const { pursue, taken } = openRefundFixture(
      { queryRefund: () => okAsync(stating("CONFIRMED")) },
      { start: sent },
    );
    expect((await orThrow(pursue(requested))).refund.status).toBe("CONFIRMED");
    expect(taken).toEqual(["sent with a claim", ASK, "confirmed"]);
  });

  it("calls no wallet if the refund is gone, and emits no event for one that disappears meanwhile", async () => {
    const gone = () => okAsync(undefined);
    const before = openRefundFixture({}, { lost: { markSent: gone } });
    expect(await orThrow(before.pursue())).toEqual({ refund: requested, definite: true });
    expect(before.taken).toEqual([]);
    const unconfirmed = openRefundFixture({}, { lost: { confirm: gone } });
    expect((await unconfirmed.pursue()).isOk()).toBe(true);
    expect(unconfirmed.reported).toEqual(["refund ok"]);
    const failing = { refund: () => okAsync(stating("FAILED")) };
    const unrejected = openRefundFixture(failing, { lost: { reject: gone } });
    expect((await unrejected.pursue()).isOk()).toBe(true);
    expect(unrejected.reported).toEqual(["refund ok"]);
  });

  it("is scheduled again after an unknown outcome without a query, and after twice the pause if calls are rate-limited", async () => {
    const lost = openRefundFixture({ refund: () => errAsync(LOST) });
    expect(await orThrow(lost.pursue())).toMatchObject({
      refund: { status: "SENT" },
      definite: false,
    });
    expect(lost.taken).toEqual(["sent with a claim", SEND, `again at ${NOW + MINUTE}`]);
    const limited = openRefundFixture({ refund: () => errAsync(BUSY) });
    expect(await orThrow(limited.pursue())).toMatchObject({ definite: false });
    expect(limited.taken).toEqual(["sent with a claim", SEND, `again at ${NOW + 2 * MINUTE}`]);
  });
});

describe("processRefund: an open refund that may have been sent", () => {
  it.each([
    ["CONFIRMED", ["confirmed"]],
    ["FAILED", ["failed"]],
    ["PROCESSING", [`again at ${NOW + 5 * MINUTE}`]],
  ] as const)("is queried first, and not sent if the wallet reports %s", async (state, end) => {
    const { pursue, taken } = openRefundFixture(
      { queryRefund: () => okAsync(stating(state)) },
      { start: sent },
    );
    expect(await orThrow(pursue())).toMatchObject({ definite: true });
    expect(taken).toEqual([ASK, ...end]);
  });

  it("is sent again under its own number if the wallet signs that it has no record of it", async () => {
    const { pursue, taken } = openRefundFixture({}, { start: sent });
    expect((await orThrow(pursue())).refund.status).toBe("CONFIRMED");
    expect(taken).toEqual([ASK, "claim", SEND, "confirmed"]);
  });

  it.each([
    ["no answer", LOST, `again at ${NOW + 5 * MINUTE}`],
    ["too many calls", BUSY, `again at ${NOW + 10 * MINUTE}`],
    ["a refusal", REFUSED, `again at ${NOW + 5 * MINUTE}`],
  ] as const)("is never sent after %s to the query", async (_what, failure, next) => {
    const { pursue, taken } = openRefundFixture({ queryRefund: () => errAsync(failure) }, { start: sent });
    expect(await orThrow(pursue())).toMatchObject({ refund: { status: "SENT" }, definite: false });
    expect(taken).toEqual([ASK, next]);
  });

  it("is sent again on an unsigned absence only after policy.unsignedRefusalDelay", async () => {
    const queryRefund = () => errAsync(ABSENT);
    const soon = openRefundFixture(
      { queryRefund },
      { start: { ...sent, gmtModified: NOW - PERIOD + 2 * MINUTE } },
    );
    expect(await orThrow(soon.pursue())).toMatchObject({ definite: false });
    // The absence counts after two minutes, which is before the next query of the schedule.
    expect(soon.taken).toEqual([ASK, `again at ${NOW + 2 * MINUTE}`]);
    const late = openRefundFixture({ queryRefund }, { start: { ...sent, gmtModified: NOW - PERIOD } });
    expect((await orThrow(late.pursue())).refund.status).toBe("CONFIRMED");
    expect(late.taken).toEqual([ASK, "claim", SEND, "confirmed"]);
  });

  it.each(["CONFIRMED", "FAILED", "SETTLED"] as const)(
    "is never sent again if it has become %s",
    async (status) => {
      for (const stale of [requested, sent]) {
        const { pursue, taken } = openRefundFixture({}, { start: { ...requested, status } });
        expect(await orThrow(pursue(stale))).toMatchObject({ refund: { status }, definite: true });
        expect(taken).not.toContain(SEND);
      }
      const known = openRefundFixture({}, { start: { ...requested, status } });
      expect(await orThrow(known.pursue())).toMatchObject({ refund: { status }, definite: true });
      expect(known.taken).toEqual([]);
    },
  );

  it("is never sent again once it is ABNORMAL, whatever the wallet reports", async () => {
    const abnormal: Refund = { ...sent, status: "ABNORMAL" };
    for (const absence of [okAsync(undefined), errAsync(ABSENT)]) {
      const { pursue, taken } = openRefundFixture({ queryRefund: () => absence }, { start: abnormal });
      expect(await orThrow(pursue())).toMatchObject({ refund: { status: "ABNORMAL" } });
      expect(taken).toEqual([ASK, `again at ${NOW + 5 * MINUTE}`]);
    }
    const meanwhile = openRefundFixture({}, { start: abnormal });
    expect(await orThrow(meanwhile.pursue(sent))).toMatchObject({ refund: { status: "ABNORMAL" } });
    expect(meanwhile.taken).toEqual([ASK, "claim"]);
  });
});

describe("processRefund: a refusal", () => {
  it.each([
    ["has no record of it, so it fails", okAsync(undefined), "FAILED", true, ["failed"]],
    ["confirms it, so it counts", okAsync(stating("CONFIRMED")), "CONFIRMED", true, ["confirmed"]],
    ["reports that it failed, so it fails", okAsync(stating("FAILED")), "FAILED", true, ["failed"]],
    ["does not answer, so it stays open", errAsync(LOST), "SENT", false, [`again at ${NOW + MINUTE}`]],
  ] as const)("is decided by a query: the wallet %s", async (_what, known, status, definite, end) => {
    for (const refusal of [REFUSED, UNTRUSTED]) {
      if (refusal === UNTRUSTED && status === "FAILED") continue;
      const { pursue, taken } = openRefundFixture({
        refund: () => errAsync(refusal),
        queryRefund: () => known,
      });
      expect(await orThrow(pursue())).toMatchObject({ refund: { status }, definite });
      expect(taken).toEqual(["sent with a claim", SEND, ASK, ...end]);
    }
  });

  it.each([
    ["the refusal", UNTRUSTED, okAsync(undefined)],
    ["the answer that there is no such refund", REFUSED, errAsync(ABSENT)],
    ["either of them", UNTRUSTED, errAsync(ABSENT)],
  ] as const)(
    "does not fail the refund at first if there is no signature for %s",
    async (_what, refusal, known) => {
      const answers = { refund: () => errAsync(refusal), queryRefund: () => known };
      const { pursue, taken, reported } = openRefundFixture(answers);
      expect(await orThrow(pursue())).toMatchObject({ refund: { status: "SENT" }, definite: false });
      expect(taken.slice(-2)).toEqual(["note REFUND_REFUSED", `again at ${NOW + MINUTE}`]);
      expect(reported).toEqual(["refund rejected", expect.stringMatching(/^queryRefund/)]);
      const soon = openRefundFixture(answers, { refusedAt: NOW - PERIOD + 1 });
      expect(await orThrow(soon.pursue())).toMatchObject({ refund: { status: "SENT" } });
      const late = openRefundFixture(answers, { refusedAt: NOW - PERIOD });
      expect(await orThrow(late.pursue())).toMatchObject({
        refund: { status: "FAILED" },
        definite: true,
      });
    },
  );

  it("counts from the time of the query, even if the answer arrives late", async () => {
    const answers = { refund: () => errAsync(UNTRUSTED), queryRefund: () => okAsync(undefined) };
    const halted = openRefundFixture(answers, { refusedAt: NOW - PERIOD + 1, slowness: 2 * PERIOD });
    expect(await orThrow(halted.pursue())).toMatchObject({ refund: { status: "SENT" } });
  });

  it("that lasted longer than the delay does not override the wallet's record, nor a failed query", async () => {
    const refund = () => errAsync(UNTRUSTED);
    const made = openRefundFixture(
      { refund, queryRefund: () => okAsync(stating("CONFIRMED")) },
      { refusedAt: 0 },
    );
    expect(await orThrow(made.pursue())).toMatchObject({ refund: { status: "CONFIRMED" } });
    const lost = openRefundFixture({ refund, queryRefund: () => errAsync(LOST) }, { refusedAt: 0 });
    expect(await orThrow(lost.pursue())).toMatchObject({
      refund: { status: "SENT" },
      definite: false,
    });
  });
});

describe("processRefund: a refusal for lack of funds", () => {
  const poor = (queryRefund: Wallet["queryRefund"] = () => okAsync(undefined)) => ({
    refund: () => errAsync(OUT_OF_FUNDS),
    queryRefund,
  });

  it.each([
    ["signed", okAsync(undefined)],
    ["unsigned", errAsync(ABSENT)],
  ] as const)(
    "keeps the refund open and raises an alarm with instructions: the answer that there is no refund is %s",
    async (_what, known) => {
      const { pursue, taken, reported, lastEvent, held: stored } = openRefundFixture(poor(() => known));
      expect(await orThrow(pursue())).toMatchObject({
        refund: { status: "WAITING_FOR_FUNDS" },
        definite: true,
      });
      expect(taken).toEqual(["sent with a claim", SEND, ASK, "WAITING_FOR_FUNDS"]);
      expect(reported.slice(-2)).toEqual([
        "refund-1 WAITING_FOR_FUNDS 200",
        "alarm REFUND_WAITING_FOR_FUNDS",
      ]);
      expect(lastEvent()).toMatchObject({ type: "REFUND_WAITING_FOR_FUNDS", alarm: true });
      expect(lastEvent()?.details).toBe('{"amount":200,"refusal":"no money"}');
      expect(stored().nextTryAt).toBe(NOW + MINUTE);
    },
  );

  it("waits with the same alarm if the wallet has a record of it and requests the call again", async () => {
    const asking = () => okAsync(stating("PROCESSING", { sendAgain: true }));
    const { pursue, apply, reported, held: stored } = openRefundFixture(poor(asking), { start: sent });
    await pursue();
    expect(stored().status).toBe("WAITING_FOR_FUNDS");
    await apply(await orThrow(asking()), stored());
    await pursue();
    expect(stored().status).toBe("WAITING_FOR_FUNDS");
    expect(reported.filter((text) => text.startsWith("alarm"))).toEqual(["alarm REFUND_WAITING_FOR_FUNDS"]);
  });

  it("is SENT after the wallet accepts it, even if a query still requests the call again", async () => {
    const asking = () => okAsync(stating("PROCESSING", { sendAgain: true }));
    const start: Refund = { ...sent, status: "WAITING_FOR_FUNDS" };
    const { pursue } = openRefundFixture({ refund: asking, queryRefund: asking }, { start });
    expect((await orThrow(pursue())).refund.status).toBe("SENT");
  });

  it("raises no second alarm while it waits, despite many attempts, and never fails", async () => {
    const start: Refund = { ...sent, status: "WAITING_FOR_FUNDS", gmtModified: NOW - 90 * 86_400_000 };
    const { pursue, taken, reported } = openRefundFixture(poor(), { start, refusedAt: 0 });
    for (let round = 0; round < 3; round += 1)
      expect(await orThrow(pursue())).toMatchObject({ refund: { status: "WAITING_FOR_FUNDS" } });
    const tomorrow = `again at ${NOW + 86_400_000}`;
    expect(taken.slice(0, 5)).toEqual([ASK, "claim", SEND, tomorrow, ASK]);
    expect(reported.join()).not.toContain("alarm");
  });

  it("names the remedy of the refusal in its alarm", async () => {
    const refund = () => errAsync({ ...OUT_OF_FUNDS, remedy: "repair-account" as const });
    const { pursue, lastEvent } = openRefundFixture({ refund, queryRefund: () => okAsync(undefined) });
    await pursue();
    expect(lastEvent()?.details).toBe('{"amount":200,"refusal":"no money","remedy":"repair-account"}');
  });

  it("gives the wallet the number of the retry, by the schedule", async () => {
    const retries: (number | undefined)[] = [];
    const refund: Wallet["refund"] = (_account, { fundsRetry }) => {
      retries.push(fundsRetry);
      return errAsync(OUT_OF_FUNDS);
    };
    for (const start of [
      sent,
      ...[0, 1, 5, 10].map((age): Refund => {
        return { ...sent, status: "WAITING_FOR_FUNDS", gmtModified: NOW - age * MINUTE };
      }),
    ])
      await openRefundFixture({ refund, queryRefund: () => okAsync(undefined) }, { start }).pursue();
    expect(retries).toEqual([undefined, 0, 1, 2, 3]);
  });

  it("continues under the same number after a top-up", async () => {
    const start: Refund = { ...sent, status: "WAITING_FOR_FUNDS" };
    const confirmed = openRefundFixture({}, { start });
    expect((await orThrow(confirmed.pursue())).refund.status).toBe("CONFIRMED");
    expect(confirmed.taken).toEqual([ASK, "claim", SEND, "confirmed"]);
    const taken = openRefundFixture({ refund: () => okAsync(stating("PROCESSING")) }, { start });
    expect((await orThrow(taken.pursue())).refund.status).toBe("SENT");
    expect(taken.lastEvent()).toMatchObject({ type: "REFUND_PROCESSING", alarm: false });
  });

  it("stays SENT while the wallet's record cannot be read", async () => {
    const { pursue } = openRefundFixture(poor(() => errAsync(LOST)));
    expect(await orThrow(pursue())).toMatchObject({ refund: { status: "SENT" }, definite: false });
  });

  it("fails if the wallet then refuses it for another reason", async () => {
    const start: Refund = { ...sent, status: "WAITING_FOR_FUNDS" };
    const { pursue } = openRefundFixture({ refund: () => errAsync(REFUSED) }, { start });
    expect((await orThrow(pursue())).refund.status).toBe("FAILED");
  });
});

describe("processRefund: a refund without an end", () => {
  const DAY = 86_400_000;
  const answers = { queryRefund: () => okAsync(stating("PROCESSING")) };

  it("raises one alarm after policy.refundOverdue, and none before", async () => {
    const early = openRefundFixture(answers, { start: { ...sent, gmtModified: NOW - 5 * DAY + 1 } });
    await early.pursue();
    expect(early.reported).toEqual(["queryRefund ok"]);
    const { pursue, reported, lastEvent } = openRefundFixture(answers, {
      start: { ...sent, gmtModified: NOW - 5 * DAY },
    });
    await pursue();
    await pursue();
    expect(reported).toEqual(["queryRefund ok", "alarm REFUND_OVERDUE", "queryRefund ok"]);
    expect(lastEvent()).toMatchObject({ type: "REFUND_OVERDUE", actor: "reconciler", alarm: true });
    expect(lastEvent()?.details).toBe('{"amount":200,"status":"SENT","days":5}');
  });

  it("raises the alarm also if the order's pay tool is gone, and follows the schedule", async () => {
    const start: Refund = { ...requested, gmtModified: NOW - 6 * DAY };
    const { pursue, reported, taken } = openRefundFixture({}, { start, account: undefined });
    expect((await pursue())._unsafeUnwrapErr()).toEqual({ name: "pay-tool.not-configured" });
    expect(reported).toEqual(["alarm REFUND_OVERDUE"]);
    expect(taken[0]).toBe(`again at ${NOW + DAY}`);
  });

  it.each(["WAITING_FOR_FUNDS", "ABNORMAL"] as const)(
    "raises no alarm about its age while it is %s",
    async (status) => {
      const start: Refund = { ...sent, status, gmtModified: NOW - 30 * DAY };
      const { pursue, reported } = openRefundFixture({ queryRefund: () => errAsync(LOST) }, { start });
      await pursue();
      expect(reported).toEqual(["queryRefund unknown"]);
    },
  );

  it("raises no alarm if the answer ends the refund", async () => {
    const start: Refund = { ...sent, gmtModified: NOW - 30 * DAY };
    const { pursue, reported } = openRefundFixture(
      { queryRefund: () => okAsync(stating("CONFIRMED")) },
      { start },
    );
    await pursue();
    expect(reported).toEqual(["queryRefund ok", "refund-1 CONFIRMED 200"]);
  });
});

describe("refreshRefund", () => {
  it.each(["REQUESTED", "SENT", "WAITING_FOR_FUNDS", "ABNORMAL", "FAILED"] as const)(
    "confirms a refund that is %s in Tillkit and done at the wallet",
    async (status) => {
      const { refresh, taken } = openRefundFixture(
        { queryRefund: () => okAsync(stating("CONFIRMED")) },
        { start: { ...requested, status } },
      );
      expect((await orThrow(refresh())).status).toBe("CONFIRMED");
      expect(taken.slice(0, 2)).toEqual([ASK, "confirmed"]);
    },
  );

  it("changes nothing if the wallet has no record or does not answer, and never sends the refund", async () => {
    const unknown = openRefundFixture({});
    expect(await orThrow(unknown.refresh())).toEqual(requested);
    const silent = openRefundFixture({ queryRefund: () => errAsync(LOST) });
    expect((await silent.refresh())._unsafeUnwrapErr()).toEqual(LOST);
    for (const { taken } of [unknown, silent]) expect(taken).toEqual([ASK]);
  });
});

describe("processRefund: a refund that the wallet has accepted", () => {
  const accepted: Refund = { ...sent, walletRefundNo: "5000", gmtModified: NOW - 10 * PERIOD };

  it("is recognised by the wallet's number, which every answer contains", async () => {
    const { pursue, held: stored } = openRefundFixture({
      refund: () => okAsync(stating("PROCESSING", { walletRefundNo: "5000" })),
    });
    await pursue();
    expect(stored()).toMatchObject({ status: "SENT", walletRefundNo: "5000" });
  });

  it.each([
    ["signs that it has no record of it", () => okAsync(undefined)],
    ["reports without a signature that it has no record of it", () => errAsync(ABSENT)],
  ] as const)("is neither sent again nor FAILED when the wallet %s", async (_what, queryRefund) => {
    const { pursue, taken } = openRefundFixture(
      { queryRefund, refund: () => errAsync(REFUSED) },
      { start: accepted, refusedAt: 0 },
    );
    expect(await orThrow(pursue())).toMatchObject({ refund: { status: "SENT" }, definite: false });
    expect(taken).toEqual([ASK, expect.stringMatching(/^again at/)]);
  });

  it("does not fail by a refusal if its number was stored during the query", async () => {
    const queryRefund: Wallet["queryRefund"] = () => {
      change({ walletRefundNo: "5000" });
      return okAsync(undefined);
    };
    const {
      pursue,
      change,
      held: stored,
    } = openRefundFixture({ refund: () => errAsync(REFUSED), queryRefund });
    expect(await orThrow(pursue())).toMatchObject({ refund: { status: "SENT" }, definite: true });
    expect(stored()).toMatchObject({ status: "SENT", walletRefundNo: "5000" });
  });

  it("is not sent again if its number was stored during the query", async () => {
    const fixture = openRefundFixture(
      {
        queryRefund: () => {
          fixture.change({ walletRefundNo: "5000" });
          return okAsync(undefined);
        },
      },
      { start: sent },
    );
    await fixture.pursue();
    expect(fixture.taken).toEqual([ASK, "claim"]);
  });
});

describe("processRefund: a wallet that requests the refund again", () => {
  const asking = () => okAsync(stating("PROCESSING", { sendAgain: true }));

  it("gets it again, with the same number", async () => {
    const { pursue, taken } = openRefundFixture({ queryRefund: asking }, { start: sent });
    expect((await orThrow(pursue())).refund.status).toBe("CONFIRMED");
    expect(taken).toEqual([ASK, "claim", SEND, "confirmed"]);
  });

  it("does not fail the refund by a refusal while the wallet still has a record of the refund", async () => {
    const { pursue, taken } = openRefundFixture(
      { queryRefund: asking, refund: () => errAsync(REFUSED) },
      { start: sent },
    );
    expect((await orThrow(pursue())).refund.status).toBe("SENT");
    expect(taken).toEqual([ASK, "claim", SEND, ASK, expect.stringMatching(/^again at/)]);
  });
});

describe("processRefund: an unsigned refusal", () => {
  it("of an earlier status has no effect", async () => {
    const answers = { refund: () => errAsync(UNTRUSTED), queryRefund: () => okAsync(undefined) };
    const { pursue, events } = openRefundFixture(answers, { start: { ...sent, gmtModified: NOW - PERIOD } });
    const earlier = { type: "REFUND_REFUSED", actor: "wallet", reason: "", alarm: false } as const;
    const evidence = `refund-1 ${NOW - 9 * PERIOD}`;
    events().push({ ...earlier, at: 0, evidence, seq: 9, previousHash: "", hash: "" });
    expect(await orThrow(pursue())).toMatchObject({ refund: { status: "SENT" }, definite: false });
  });
});

describe("processRefund: the claim to send", () => {
  it("covers the whole call, and comes before it", async () => {
    const { pursue, taken, held, ports } = openRefundFixture({});
    await pursue();
    expect(taken).toEqual(["sent with a claim", SEND, "confirmed"]);
    expect(held().sendingUntil).toBe(NOW + ports.policy.refundSendPause);
    const slow = openRefundFixture({}, { policy: { workLease: 2 * MINUTE } });
    await slow.pursue();
    expect(slow.held().sendingUntil).toBe(NOW + 2 * MINUTE + slow.ports.policy.walletDeadline);
  });

  it("prevents other sends until it ends, and schedules the next query for then", async () => {
    for (const [status, definite] of [
      ["SENT", false],
      ["WAITING_FOR_FUNDS", true],
    ] as const) {
      const sendingUntil = NOW + 3 * MINUTE;
      const { pursue, taken } = openRefundFixture({}, { start: { ...sent, status, sendingUntil } });
      expect(await orThrow(pursue())).toMatchObject({ definite, refund: { status } });
      expect(taken).toEqual([ASK, "claim", `again at ${String(sendingUntil)}`]);
    }
  });

  it("can be granted again at its end", async () => {
    const { pursue, taken } = openRefundFixture({}, { start: { ...sent, sendingUntil: NOW } });
    await pursue();
    expect(taken).toEqual([ASK, "claim", SEND, "confirmed"]);
  });

  it("is needed for every send: a refund that was withdrawn in the meantime is not sent", async () => {
    const fixture = openRefundFixture(
      {
        queryRefund: () => {
          fixture.change({ status: "WITHDRAWN" });
          return okAsync(undefined);
        },
      },
      { start: { ...requested, status: "SENT" } },
    );
    const pursued = await orThrow(fixture.pursue());
    expect(fixture.taken).toEqual([ASK, "claim"]);
    expect(pursued).toMatchObject({ definite: true, refund: { status: "WITHDRAWN" } });
  });

  it("is not used by a process that stalled for longer than its lease", async () => {
    const inTime = openRefundFixture({}, { stall: defaultPolicy.workLease });
    await inTime.pursue();
    expect(inTime.taken).toContain(SEND);
    const late = openRefundFixture({}, { stall: defaultPolicy.workLease + 1 });
    expect(await orThrow(late.pursue())).toMatchObject({ definite: false });
    expect(late.taken).toEqual(["sent with a claim", expect.stringMatching(/^again at/)]);
  });
});
