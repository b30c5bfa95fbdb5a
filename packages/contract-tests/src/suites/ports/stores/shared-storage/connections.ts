import type { Order, Stores } from "@tillkit/core";
import type { ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import {
  anEntry,
  anOrder,
  aQuotaKey,
  aQuotaTake,
  aSession,
  FIXTURE_TIME,
  unique,
} from "../../../../support/fixtures.js";
import { expectOk } from "../../../../support/open-before-each.js";
import type { SharedStorage } from "../../../../support/stores/shared-storage-harness.js";

const CALLS = 6;

/** Maximum milliseconds of a call that does not wait, on a machine that runs other tests. */
const PATIENCE = 30_000;

/** Tests failing and slow connections: no call runs twice or delays another call. */
export function connections(storage: () => SharedStorage): void {
  const sent = <T, E>(call: (nth: number) => ResultAsync<T, E>) =>
    Promise.all(Array.from({ length: CALLS }, async (_, nth) => call(nth)));

  describe("a response that is lost", () => {
    it("does not reveal whether a unit of a quota was taken, and takes no unit twice", async () => {
      const { port, another, loseNextAnswer } = storage();
      const [key, unit] = [aQuotaKey(), aQuotaTake({ limit: 100 })];
      loseNextAnswer();
      const answers = await sent(() => port.quotas.take(key, unit));
      const lost = answers.filter((answer) => answer.isErr());
      expect(lost).not.toEqual([]);
      for (const answer of lost) expect(answer._unsafeUnwrapErr().name).toBe("storage.unavailable");
      const { used } = await expectOk(another().quotas.take(key, unit));
      expect(used - 1).toBeGreaterThanOrEqual(CALLS - lost.length);
      expect(used - 1).toBeLessThanOrEqual(CALLS);
    });

    it("does not reveal whether a session was opened, and ends no other session for it", async () => {
      const { port, another, loseNextAnswer } = storage();
      const sessions = Array.from({ length: CALLS }, () => aSession({ customerId: unique("customer-") }));
      loseNextAnswer();
      const answers = await sent((nth) => port.sessions.open(sessions[nth] ?? aSession(), 1));
      expect(answers.some((answer) => answer.isErr())).toBe(true);
      for (const [nth, session] of sessions.entries()) {
        const live = await expectOk(another().sessions.use(session, FIXTURE_TIME));
        if (answers[nth]?.isOk() === true) expect(live).toBe(true);
        const next = aSession({ customerId: session.customerId, gmtCreate: FIXTURE_TIME + 1 });
        expect(await expectOk(another().sessions.open(next, 1))).toEqual(live ? [session] : []);
      }
    });
  });

  describe("a response that does not arrive", () => {
    it("does not delay later calls", async () => {
      const { port, holdNextAnswers } = storage();
      const order = await expectOk(port.orders.insertOnce(anOrder(), anEntry()));
      const release = holdNextAnswers(2);
      const slow = [settled(() => port.orders.find(order))];
      await untilSent();
      slow.push(settled(() => port.orders.find(order)));
      await untilSent();
      const later = settled(() => port.orders.find(order));
      await expect.poll(() => later.over, { timeout: PATIENCE }).toBe(true);
      expect(slow.map(({ over }) => over)).toEqual([false, false]);
      release();
      for (const one of [...slow, later]) expect(await one.value).toEqual(order);
    });
  });

  describe("a call that the storage rejects", () => {
    it("fails alone or is stored as given, and no other call fails", async () => {
      const { port, another } = storage();
      const orders = [anOrder(), anOrder({ goodsTitle: "nul \u0000" }), anOrder()];
      const answers = await Promise.all(
        orders.map(async (order) => port.orders.insertOnce(order, anEntry())),
      );
      for (const [nth, order] of orders.entries()) {
        const kept = await expectOk(another().orders.find(order));
        if (nth === 1) expect(kept).toEqual(answers[nth]?.unwrapOr(undefined));
        else expect([answers[nth]?.unwrapOr(undefined), kept]).toEqual([order, order]);
      }
    });
  });
}

/** A call, and whether it has settled. */
interface Settled {
  over: boolean;
  readonly value: Promise<Order | undefined>;
}

function settled(call: () => ReturnType<Stores["orders"]["find"]>): Settled {
  const watched: { over: boolean; readonly value: Promise<Order | undefined> } = {
    over: false,
    value: expectOk(call()).finally(() => {
      watched.over = true;
    }),
  };
  return watched;
}

/**
 * Waits until a call was sent, even if the store first waits for the response to another call.
 *
 * A store may wait for 50 ms to send several calls together.
 */
async function untilSent(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 200));
}
