import {
  findTimelineBreak,
  type Order,
  type Stores,
  type TimelineEntry,
  type TimelineEvent,
  timelineHash,
} from "@tillkit/core";
import { sealEntry } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  aHash,
  anAlarm,
  anEntry,
  anOrder,
  aPayment,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
  CONCURRENT_CALLERS,
  sha256,
  unique,
} from "../../../support/fixtures.js";
import { expectOk, race } from "../../../support/open-before-each.js";

/** Returns an event as the entry that the caller gave to the store. */
function withoutChain(event: TimelineEvent): TimelineEntry {
  const { seq: _seq, previousHash: _before, hash: _hash, ...sealed } = event;
  const { reasonSalt: _salt, reasonDigest: _digest, ...entry } = sealed;
  return entry;
}

/** Tests `OrderStore`: the hash chain of an order's events. */
export function orderTimeline(stores: () => Pick<Stores, "orders">): void {
  const insert = (order: Order = anOrder()) => expectOk(stores().orders.insertOnce(order, anEntry()));
  const timeline = (order: Order) => expectOk(stores().orders.timeline(order));

  describe("record", () => {
    it("appends an entry and does not change the order", async () => {
      const order = await insert();
      const entry = anAlarm({ evidence: aHash() });
      expect(await expectOk(stores().orders.record(order, entry))).toBe(true);
      expect((await timeline(order))[1]).toMatchObject(entry);
      expect(await expectOk(stores().orders.find(order))).toEqual(order);
    });

    it("stores the refund of an entry, and covers it by the hash", async () => {
      const order = await insert();
      const entry = anAlarm({ type: "REFUND_OVERDUE", refundNo: UNUSUAL_TEXT });
      await expectOk(stores().orders.record(order, entry));
      const events = await timeline(order);
      expect(events[0]).not.toHaveProperty("refundNo");
      expect(events[1]).toMatchObject(entry);
      expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
    });

    it("appends an entry with the same type and evidence once", async () => {
      const order = await insert();
      const entry = anAlarm({ evidence: aHash() });
      await expectOk(stores().orders.record(order, entry));
      const repeated = { ...entry, at: FIXTURE_TIME + 9, reason: "again" };
      expect(await expectOk(stores().orders.record(order, repeated))).toBe(false);
      expect(await timeline(order)).toHaveLength(2);
    });

    it("appends an entry with another type or another evidence", async () => {
      const order = await insert();
      const evidence = aHash();
      await expectOk(stores().orders.record(order, anAlarm({ evidence })));
      expect(
        await expectOk(stores().orders.record(order, anAlarm({ type: "UNKNOWN_REFUND", evidence }))),
      ).toBe(true);
      expect(await expectOk(stores().orders.record(order, anAlarm({ evidence: aHash() })))).toBe(true);
    });

    it("appends entries without evidence every time", async () => {
      const order = await insert();
      for (const count of [2, 3, 4]) {
        expect(await expectOk(stores().orders.record(order, anAlarm()))).toBe(true);
        expect(await timeline(order)).toHaveLength(count);
      }
    });

    it("recognises the evidence of a transition", async () => {
      const order = await insert();
      const payment = aPayment();
      await expectOk(stores().orders.transition(order, payment));
      expect(await expectOk(stores().orders.record(order, payment.entry))).toBe(false);
    });

    it("accepts the same evidence for two orders", async () => {
      const entry = anAlarm({ evidence: aHash() });
      expect(await expectOk(stores().orders.record(await insert(), entry))).toBe(true);
      expect(await expectOk(stores().orders.record(await insert(), entry))).toBe(true);
    });

    it("returns false for an unknown order and for another app's order", async () => {
      const order = await insert();
      expect(await expectOk(stores().orders.record({ ...order, appId: "app_2" }, anAlarm()))).toBe(false);
      expect(await expectOk(stores().orders.record({ ...order, bizNo: unique("biz-") }, anAlarm()))).toBe(
        false,
      );
      expect(await timeline(order)).toHaveLength(1);
    });

    it(`appends once in ${CONCURRENT_CALLERS} concurrent calls with one evidence`, async () => {
      const order = await insert();
      const evidence = aHash();
      const answers = await race(CONCURRENT_CALLERS, (caller) =>
        stores().orders.record(order, anAlarm({ evidence, at: FIXTURE_TIME + caller })),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await timeline(order)).toHaveLength(2);
    });
  });

  describe("timeline", () => {
    it("starts with the creation entry, chained to the order's id", async () => {
      const order = anOrder();
      const entry = anEntry();
      await expectOk(stores().orders.insertOnce(order, entry));
      const [first, ...others] = await timeline(order);
      if (first === undefined) throw new Error("The timeline is empty.");
      const hash = timelineHash(
        sha256,
        order.id,
        sealEntry(sha256, entry, () => first.reasonSalt ?? ""),
      );
      expect(first).toMatchObject({ ...entry, seq: 1, previousHash: order.id, hash });
      expect(others).toEqual([]);
    });

    it("returns entries exactly, and absent members stay absent", async () => {
      const order = await insert();
      const full = anAlarm({
        actor: UNUSUAL_TEXT,
        reason: UNUSUAL_TEXT,
        from: "PENDING",
        to: "PAID",
        evidence: UNUSUAL_TEXT,
        details: UNUSUAL_TEXT,
        at: FIXTURE_TIME + 1,
      });
      const bare = anAlarm({ alarm: false });
      await expectOk(stores().orders.record(order, full));
      await expectOk(stores().orders.record(order, bare));
      const entries = (await timeline(order)).map(withoutChain);
      expect(entries).toStrictEqual([anEntry(), full, bare]);
    });

    it("seals each reason with its own salt, and covers the digest by the hash", async () => {
      const order = await insert();
      for (const reason of [UNUSUAL_TEXT, UNUSUAL_TEXT, ""])
        await expectOk(stores().orders.record(order, anAlarm({ reason })));
      const [, one, two, empty] = await timeline(order);
      expect(one?.reason).toBe(UNUSUAL_TEXT);
      expect(one?.reasonSalt).toMatch(/^[0-9a-f]{32}$/);
      expect(one?.reasonDigest).toBe(sha256.sha256(`${one?.reasonSalt}\n${UNUSUAL_TEXT}`));
      expect(two?.reason).toBe(UNUSUAL_TEXT);
      expect(two?.reasonSalt).not.toBe(one?.reasonSalt);
      expect(empty).not.toHaveProperty("reasonSalt");
      expect(empty).not.toHaveProperty("reasonDigest");
      expect(findTimelineBreak(sha256, order.id, await timeline(order))).toBeUndefined();
    });

    it("keeps the order in which events were appended, for any times", async () => {
      const order = await insert();
      for (const at of [FIXTURE_TIME + 5, FIXTURE_TIME - 5, FIXTURE_TIME])
        await expectOk(stores().orders.record(order, anAlarm({ at })));
      expect((await timeline(order)).map(({ seq, at }) => [seq, at])).toEqual([
        [1, FIXTURE_TIME],
        [2, FIXTURE_TIME + 5],
        [3, FIXTURE_TIME - 5],
        [4, FIXTURE_TIME],
      ]);
    });

    it(`is an intact chain after ${CONCURRENT_CALLERS} concurrent appends`, async () => {
      const order = await insert();
      await Promise.all([
        race(CONCURRENT_CALLERS, (caller) =>
          stores().orders.record(order, anAlarm({ evidence: aHash(), reason: `racer ${caller}` })),
        ),
        race(CONCURRENT_CALLERS, () => stores().orders.transition(order, aPayment())),
      ]);
      const events = await timeline(order);
      expect(events).toHaveLength(CONCURRENT_CALLERS + 2);
      expect(findTimelineBreak(sha256, order.id, events)).toBeUndefined();
      expect(new Set(events.map(({ reason }) => reason)).size).toBe(CONCURRENT_CALLERS + 2);
    });

    it("is empty for an unknown order and for another app's order", async () => {
      const order = await insert();
      expect(await timeline({ ...order, appId: "app_2" })).toEqual([]);
      expect(await timeline({ ...order, bizNo: unique("biz-") })).toEqual([]);
    });
  });
}
