import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { eventFixture, timelineOf } from "../testing/event-fixture.js";
import type { EventDelivery } from "./event-delivery-store.js";
import { replayEvents, replayParkedEvents, skipParkedEvent } from "./replay-events.js";
import { orThrow } from "../errors/or-throw.js";

const key = { handler: "mailer", appId: "app_1", bizNo: "b-1" };
const timeline = timelineOf({ type: "PAID", alarm: true }, { type: "REFUNDED" });

describe("replayEvents", () => {
  it("begins with the first event, with the parked one, or with a given one", async () => {
    const { ports } = eventFixture({ timeline });
    expect(await orThrow(replayEvents(ports, key))).toEqual({ seq: 1, index: 0 });
    expect(await orThrow(replayEvents(ports, key, "order-1-2-1"))).toEqual({ seq: 2, index: 1 });
    const parked = eventFixture({ timeline, delivery: { parkedAt: 5, next: { seq: 3, index: 0 } } });
    expect(await orThrow(replayEvents(parked.ports, key))).toEqual({ seq: 3, index: 0 });
    expect(parked.advanced).toEqual([{ seq: 3, index: 0 }]);
  });

  it("fails for an event that the order does not have, and for an unknown delivery", async () => {
    const { ports, state } = eventFixture({ timeline });
    expect((await replayEvents(ports, key, "order-1-9-0"))._unsafeUnwrapErr().name).toBe("event.not-found");
    state.lost = true;
    expect((await replayEvents(ports, key))._unsafeUnwrapErr().name).toBe("delivery.unknown");
  });
});

describe("replayParkedEvents", () => {
  it("replays every page, and counts the deliveries that it changed", async () => {
    const { ports } = eventFixture();
    const parked = Array.from({ length: 150 }, (_, index): EventDelivery => {
      return { ...key, bizNo: `b-${String(index)}`, next: { seq: 2, index: 0 }, lastSeq: 2, tries: 12 };
    });
    const replayed: string[] = [];
    const replayedCount = await replayParkedEvents(
      {
        ...ports,
        eventDeliveries: {
          ...ports.eventDeliveries,
          list: ({ after, limit }) => {
            const start = parked.findIndex(({ bizNo }) => bizNo === after?.bizNo) + 1;
            return okAsync(parked.slice(start, start + limit));
          },
          replay: ({ bizNo }) => {
            replayed.push(bizNo);
            return okAsync(bizNo !== "b-7");
          },
        },
      },
      "mailer",
    );
    expect(orThrow(replayedCount)).toBe(149);
    expect(replayed).toEqual(parked.map(({ bizNo }) => bizNo));
  });
});

describe("skipParkedEvent", () => {
  it("continues with the event after the parked one", async () => {
    const { ports, advanced } = eventFixture({
      timeline,
      delivery: { parkedAt: 5, next: { seq: 2, index: 0 } },
    });
    expect(await orThrow(skipParkedEvent(ports, key))).toMatchObject({
      event: { id: "order-1-2-0", type: "order.paid" },
      next: { seq: 2, index: 1 },
    });
    expect(advanced).toEqual([{ seq: 2, index: 1 }]);
  });

  it("fails if the delivery is not parked", async () => {
    const { ports, advanced } = eventFixture({ timeline });
    expect((await skipParkedEvent(ports, key))._unsafeUnwrapErr().name).toBe("delivery.not-parked");
    expect(advanced).toEqual([]);
  });
});
