import { describe, expect, it } from "vitest";
import type { Refund } from "./refund.js";
import { orThrow } from "../errors/or-throw.js";
import { openRefundFixture, NOW, requested, stating } from "../testing/refund-fixture.js";

const MINUTE = 60_000;
const sent: Refund = { ...requested, status: "SENT", gmtModified: NOW - MINUTE };
const abnormal: Refund = { ...sent, status: "ABNORMAL" };

describe("applyWalletRefund", () => {
  it("confirms the refund, with the wallet's message as evidence and no alarm", async () => {
    const { apply, reported, lastEvent } = openRefundFixture({}, { start: sent });
    expect(await orThrow(apply(stating("CONFIRMED")))).toMatchObject({ fits: true });
    expect(reported).toEqual(["refund-1 CONFIRMED 200"]);
    expect(lastEvent()).toMatchObject({
      type: "REFUND_CONFIRMED",
      actor: "wallet",
      reason: "",
      details: '{"amount":200}',
      evidence: "CONFIRMED",
      alarm: false,
    });
  });

  it("emits one event for the end of a refund, even if the wallet repeats the report", async () => {
    const confirmed = openRefundFixture({}, { start: sent });
    for (let times = 0; times < 3; times += 1) await confirmed.apply(stating("CONFIRMED"));
    expect(confirmed.reported).toEqual(["refund-1 CONFIRMED 200"]);
    const failed = openRefundFixture({}, { start: sent });
    for (let times = 0; times < 3; times += 1) await failed.apply(stating("FAILED"));
    expect(failed.reported).toEqual(["refund-1 FAILED 200", "alarm REFUND_FAILED"]);
    expect(failed.lastEvent()).toMatchObject({
      type: "REFUND_FAILED",
      reason: "",
      alarm: true,
    });
  });

  it("raises an alarm if the money went to the merchant, because the customer has not been paid", async () => {
    const { apply, reported, lastSentence } = openRefundFixture({}, { start: sent });
    await apply(stating("CONFIRMED", { toMerchant: true }));
    expect(reported).toEqual(["refund-1 CONFIRMED 200", "alarm REFUND_CONFIRMED"]);
    expect(lastSentence()).toBe(
      "Refund of ¥2.00 confirmed by WeChat Pay. The money went to the merchant's own account: pay the customer by other means",
    );
  });

  it("emits an alarm for a confirmation after a failure", async () => {
    const { apply, reported, lastEvent, lastSentence } = openRefundFixture(
      {},
      { start: { ...sent, status: "FAILED" } },
    );
    await apply(stating("CONFIRMED"));
    expect(reported).toEqual(["refund-1 CONFIRMED 200", "alarm REFUND_CONFIRMED"]);
    expect(lastEvent()).toMatchObject({ type: "REFUND_CONFIRMED", alarm: true });
    expect(lastSentence()).toBe("Refund of ¥2.00 confirmed by WeChat Pay, after it had refused it");
  });

  it.each(["FAILED", "WITHDRAWN"] as const)(
    "raises the alarm of a late confirmation if the refund became %s during the query",
    async (status) => {
      const { apply, reported, held } = openRefundFixture({}, { start: { ...sent, status } });
      expect(await orThrow(apply(stating("CONFIRMED"), sent))).toMatchObject({ fits: true });
      expect(held().status).toBe("CONFIRMED");
      expect(reported).toEqual(["refund-1 CONFIRMED 200", "alarm REFUND_CONFIRMED"]);
    },
  );

  it.each(["WITHDRAWN", "SETTLED"] as const)(
    "raises an alarm if the wallet processes a refund that became %s during the query",
    async (status) => {
      const { apply, taken } = openRefundFixture({}, { start: { ...sent, status } });
      await apply(stating("PROCESSING"), sent);
      expect(taken).toEqual(["alarm MISMATCH"]);
    },
  );

  it("returns a refund that another call ended during the query as it is stored", async () => {
    const { apply } = openRefundFixture({}, { start: { ...sent, status: "CONFIRMED" } });
    const applied = await orThrow(apply(stating("PROCESSING"), sent));
    expect(applied).toMatchObject({ refund: { status: "CONFIRMED" } });
  });

  it("confirms nothing twice if another call confirmed the refund during the query", async () => {
    const start = { ...sent, status: "CONFIRMED" } as const;
    const { apply, reported } = openRefundFixture({}, { start });
    expect(await orThrow(apply(stating("CONFIRMED"), sent))).toEqual({ refund: start, fits: true });
    expect(reported).toEqual([]);
  });

  it("does not change a CONFIRMED refund if the wallet then reports a failure, and raises an alarm about it", async () => {
    const { apply, taken, lastEvent, lastSentence } = openRefundFixture(
      {},
      { start: { ...sent, status: "CONFIRMED" } },
    );
    expect(await orThrow(apply(stating("FAILED")))).toMatchObject({
      refund: { status: "CONFIRMED" },
    });
    expect(taken).toEqual(["failed", "alarm MISMATCH"]);
    expect(lastEvent()).toMatchObject({ actor: "wallet", evidence: "failed refund-1" });
    expect(lastSentence()).toBe("WeChat Pay reports that the refund failed, after it had confirmed it");
  });

  const OTHER = "adopted console:order-1-refund-1 150";

  it.each(["REQUESTED", "SENT", "WAITING_FOR_FUNDS", "ABNORMAL"] as const)(
    "ends a %s refund whose number the wallet has used for another amount, and adopts the wallet's refund",
    async (status) => {
      const { apply, taken, held } = openRefundFixture({}, { start: { ...sent, status } });
      const applied = await apply(stating("CONFIRMED", { amount: 150 }), held());
      expect(orThrow(applied)).toMatchObject({ refund: { status: "FAILED" }, fits: false });
      expect(held().status).toBe("FAILED");
      expect(taken).toEqual(["alarm MISMATCH", "failed", OTHER]);
    },
  );

  it.each(["FAILED", "WITHDRAWN", "SETTLED"] as const)(
    "adopts a refund with another amount under the number of a %s refund",
    async (status) => {
      const { apply, taken, held } = openRefundFixture({}, { start: { ...sent, status } });
      await apply(stating("CONFIRMED", { amount: 150 }), held());
      expect(taken).toEqual(["alarm MISMATCH", OTHER]);
    },
  );

  it("ends a refund whose number the wallet has used for another refund, which it closed", async () => {
    const { apply, taken } = openRefundFixture({}, { start: sent });
    await apply(stating("FAILED", { amount: 150 }), sent);
    expect(taken).toEqual(["alarm MISMATCH", "failed"]);
  });

  it.each([
    ["the other refund is in progress", sent, stating("PROCESSING", { amount: 150 })],
    ["the other refund is abnormal", sent, stating("ABNORMAL", { amount: 150 })],
    ["the other amount is none", sent, stating("CONFIRMED", { amount: 0 })],
    ["the other amount exceeds the order", sent, stating("CONFIRMED", { amount: 601 })],
    ["this refund is confirmed", { ...sent, status: "CONFIRMED" }, stating("CONFIRMED", { amount: 150 })],
  ] as const)("only raises an alarm while %s", async (_, start, stated) => {
    const { apply, taken } = openRefundFixture({}, { start });
    expect(await orThrow(apply(stated, start))).toEqual({ refund: start, fits: false });
    expect(taken).toEqual(["alarm MISMATCH"]);
  });

  it("only raises an alarm for a notification with another amount, which is not the answer to a query", async () => {
    const { apply, taken } = openRefundFixture({}, { start: sent });
    const applied = await apply(stating("CONFIRMED", { amount: 150 }));
    expect(orThrow(applied)).toEqual({ refund: sent, fits: false });
    expect(taken).toEqual(["alarm MISMATCH"]);
  });

  it.each([{ merchantId: "another" }, { outTradeNo: "order-2" }])(
    "raises an alarm and changes nothing if the statement does not match: %o",
    async (lie) => {
      const { apply, taken, lastSentence } = openRefundFixture({}, { start: sent });
      expect(await orThrow(apply(stating("CONFIRMED", lie)))).toEqual({ refund: sent, fits: false });
      expect(taken).toEqual(["alarm MISMATCH"]);
      expect(lastSentence()).toContain("statement about refund order-1-refund-1 does not match it");
    },
  );

  it.each(["order-1-refund-9", "order-1-refund-12", "order-1-refund-", "order-1-refund-1 ", "refund-1"])(
    "raises an alarm and changes nothing if the number only resembles that of a refund: %s",
    async (refundNo) => {
      const { apply, taken, lastSentence } = openRefundFixture({}, { start: sent });
      expect(await orThrow(apply(stating("CONFIRMED", { refundNo })))).toEqual({ fits: false });
      expect(taken).toEqual(["alarm UNKNOWN_REFUND"]);
      expect(lastSentence()).toBe(`WeChat Pay reports refund ${refundNo}, which Tillkit did not make`);
    },
  );
});

describe("applyWalletRefund: ABNORMAL", () => {
  it("moves the refund to ABNORMAL, with the wallet's number, an alarm with instructions, and a next query", async () => {
    const { apply, reported, held: stored, lastEvent, lastSentence } = openRefundFixture({}, { start: sent });
    await apply(stating("ABNORMAL", { walletRefundNo: "5001" }), sent);
    expect(stored()).toMatchObject({
      status: "ABNORMAL",
      walletRefundNo: "5001",
      gmtModified: NOW,
      nextTryAt: NOW + MINUTE,
    });
    expect(reported).toEqual(["refund-1 ABNORMAL 200", "alarm REFUND_ABNORMAL"]);
    expect(lastEvent()).toMatchObject({ type: "REFUND_ABNORMAL", alarm: true, evidence: "refund-1 1" });
    expect(lastSentence()).toContain(
      "Pay it out to a bank card, or record that you pay the customer by other means",
    );
  });

  it("raises one alarm, even if the notification is repeated", async () => {
    const { apply, reported } = openRefundFixture({}, { start: sent });
    for (let times = 0; times < 3; times += 1) await apply(stating("ABNORMAL"));
    expect(reported).toEqual(["refund-1 ABNORMAL 200", "alarm REFUND_ABNORMAL"]);
  });

  it("does not undo an operator's later action if an old notification is repeated, and queries the wallet now", async () => {
    const { apply, change, taken, held: stored, reported } = openRefundFixture({}, { start: sent });
    await apply(stating("ABNORMAL"));
    change({ status: "SENT", gmtModified: NOW + 1 });
    await apply(stating("ABNORMAL"));
    expect(stored().status).toBe("SENT");
    expect(taken.at(-1)).toBe(`again at ${NOW}`);
    expect(reported).toHaveLength(2);
  });

  it("does not undo an operator's action during the query", async () => {
    const { apply, change, held: stored } = openRefundFixture({}, { start: abnormal });
    change({ status: "SENT", gmtModified: NOW });
    await apply(stating("ABNORMAL"), sent);
    expect(stored().status).toBe("SENT");
    await apply(stating("ABNORMAL"), abnormal);
    expect(stored().status).toBe("SENT");
  });

  it("raises another alarm if the wallet reports ABNORMAL again after a resend", async () => {
    const { apply, change, held: stored, events } = openRefundFixture({}, { start: sent });
    await apply(stating("ABNORMAL"), sent);
    change({ status: "SENT", gmtModified: NOW + 1 });
    await apply(stating("ABNORMAL"), stored());
    expect(stored().status).toBe("ABNORMAL");
    const alarms = events().filter(({ type }) => type === "REFUND_ABNORMAL");
    expect(alarms.map(({ evidence }) => evidence)).toEqual(["refund-1 1", "refund-1 2"]);
  });

  it("counts the alarms of this refund alone", async () => {
    const { apply, held: stored, ports } = openRefundFixture({}, { start: sent });
    const other = { at: 0, actor: "wallet", reason: "", alarm: true } as const;
    await ports.orders.record(
      { appId: "app_1", bizNo: "b-1" },
      { ...other, type: "REFUND_ABNORMAL", evidence: "refund-12 1" },
    );
    await apply(stating("ABNORMAL"));
    expect(stored().status).toBe("ABNORMAL");
  });

  it.each(["CONFIRMED", "FAILED"] as const)(
    "raises an alarm and changes nothing for a refund that is %s",
    async (status) => {
      const {
        apply,
        held: stored,
        reported,
        lastEvent,
      } = openRefundFixture({}, { start: { ...sent, status } });
      await apply(stating("ABNORMAL"));
      await apply(stating("ABNORMAL"));
      expect(stored().status).toBe(status);
      expect(reported).toEqual(["alarm MISMATCH"]);
      expect(lastEvent()?.details).toBe(JSON.stringify({ about: "abnormal-after-end", status }));
    },
  );

  it("moves the refund to SENT when the wallet processes it again", async () => {
    const { apply, held: stored, lastEvent } = openRefundFixture({}, { start: abnormal });
    await apply(stating("PROCESSING"), abnormal);
    expect(stored()).toMatchObject({ status: "SENT", nextTryAt: NOW + MINUTE });
    expect(lastEvent()).toMatchObject({ type: "REFUND_PROCESSING", alarm: false });
  });
});

describe("applyWalletRefund: a notification that the wallet processes the refund", () => {
  it.each(["ABNORMAL", "WAITING_FOR_FUNDS"] as const)(
    "may be old: a refund that is %s stays so, and the wallet is queried now",
    async (status) => {
      const { apply, held: stored, reported, taken } = openRefundFixture({}, { start: { ...sent, status } });
      await apply(stating("PROCESSING"));
      expect(stored().status).toBe(status);
      expect(taken).toEqual([`again at ${NOW}`]);
      expect(reported).toEqual([]);
    },
  );
});

describe("applyWalletRefund: a SETTLED refund", () => {
  const settled: Refund = { ...sent, status: "SETTLED" };

  it("does not change if the wallet confirms it, and raises one alarm about a possible double payment", async () => {
    const { apply, held: stored, reported, lastSentence } = openRefundFixture({}, { start: settled });
    for (let times = 0; times < 3; times += 1) await apply(stating("CONFIRMED"));
    expect(stored()).toEqual(settled);
    expect(reported).toEqual(["alarm REFUND_PAID_TWICE"]);
    expect(lastSentence()).toContain("The customer may have been paid twice");
  });

  it.each([
    ["confirmed to the merchant", stating("CONFIRMED", { toMerchant: true })],
    ["failed", stating("FAILED")],
    ["abnormal", stating("ABNORMAL")],
    ["processing", stating("PROCESSING")],
  ] as const)("stays SETTLED without an alarm if accepted by the wallet: %s", async (_what, stated) => {
    const start: Refund = { ...settled, walletRefundNo: "5000000001" };
    const { apply, held: stored, reported } = openRefundFixture({}, { start });
    await apply(stated);
    expect(stored()).toEqual(start);
    expect(reported).toEqual([]);
  });
});

describe("applyWalletRefund: a refund that ended because the wallet did not have it", () => {
  it.each(["WITHDRAWN", "SETTLED"] as const)(
    "stays %s and raises one alarm if the wallet processes it",
    async (status) => {
      const start: Refund = { ...sent, status };
      const { apply, held: stored, reported, lastSentence } = openRefundFixture({}, { start });
      for (let times = 0; times < 3; times += 1) await apply(stating("PROCESSING"));
      expect(stored()).toEqual(start);
      expect(reported).toEqual(["alarm MISMATCH"]);
      expect(lastSentence()).toContain("The customer may be paid twice");
    },
  );

  it("raises no alarm if the wallet asks for the same request again", async () => {
    const { apply, reported } = openRefundFixture({}, { start: { ...sent, status: "WITHDRAWN" } });
    await apply(stating("PROCESSING", { sendAgain: true }));
    expect(reported).toEqual([]);
  });
});
