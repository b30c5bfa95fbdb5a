import { type EventHandlerOptions, type OrderEvent, orThrow, type ServiceEvent } from "@tillkit/core";
import { replayEvents } from "@tillkit/core/operators";
import { aShop, testClock } from "@tillkit/memory";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createTillkit } from "./create-tillkit.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TASK = "events:mailer";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Opens a shop whose storage several hosts share. */
async function openShop() {
  const shop = await aShop();
  const pay = async (bizNo: string) => {
    const { order } = await shop.placeOrder({ bizNo });
    await shop.wallets.WALLET_A.notify(order);
    return order;
  };
  /** Opens a host with a clock of its own. */
  const openHost = async (handle: EventHandlerOptions["handle"]) => {
    const clock = testClock(shop.ports.clock.now());
    const seen: ServiceEvent[] = [];
    const tillkit = createTillkit({
      stores: shop.ports,
      wallets: shop.ports.wallets,
      clock,
      keyring: { peppers: [{ version: 1, key: new Uint8Array(32).fill(7) }] },
      publicUrl: "https://pay.example.com",
      observer: { onEvent: (event) => seen.push(event) },
      eventHandlers: [{ name: "mailer", types: ["order.paid", "order.refunded"], handle }],
      // Only the tests start rounds.
      background: { eventsEveryMs: 1_000 * HOUR },
    });
    tillkit.start();
    await tillkit.runNow(TASK);
    return { clock, seen, run: () => tillkit.runNow(TASK), stop: () => tillkit.stop() };
  };
  return { shop, pay, openHost };
}

/** Returns a handler that records the orders of its events. */
function aRecorder() {
  const received: string[] = [];
  return { received, handle: async ({ bizNo }: OrderEvent) => received.push(bizNo) };
}

/** Returns a handler that waits until the test lets it end. */
function aSlowHandler() {
  const received: string[] = [];
  const ends: (() => void)[] = [];
  const handle = ({ bizNo }: OrderEvent) =>
    new Promise<void>((resolve) => {
      received.push(bizNo);
      ends.push(resolve);
    });
  return { received, handle, end: () => ends.shift()?.() };
}

it("reports a storage that fails for one order, and delivers the events of the other orders", async () => {
  const { shop, pay, openHost } = await openShop();
  const { received, handle } = aRecorder();
  const host = await openHost(handle);
  await pay("broken");
  await pay("sound");
  shop.faults.fail("orders", "timeline");
  await host.run();
  expect(received).toHaveLength(1);
  expect(host.seen).toContainEqual(
    expect.objectContaining({ type: "task.ran", task: TASK, failure: "storage.unavailable" }),
  );
  host.clock.advance(HOUR);
  await host.run();
  expect(received.toSorted()).toEqual(["broken", "sound"]);
  await host.stop();
});

it("reports that its handler was removed, until a host registers it again", async () => {
  const { shop, pay, openHost } = await openShop();
  const { received, handle } = aRecorder();
  const host = await openHost(handle);
  await orThrow(shop.ports.eventDeliveries.removeHandler("mailer"));
  await pay("lost");
  host.clock.advance(MINUTE);
  await host.run();
  expect(host.seen).toContainEqual(expect.objectContaining({ task: TASK, failure: "event-handler.removed" }));
  // The removed handler stays removed: its last hosts may still be stopping.
  expect(await orThrow(shop.ports.eventDeliveries.listHandlers())).toEqual([]);

  const another = await openHost(handle);
  await pay("kept");
  await host.run();
  expect(received).toEqual(["kept"]);
  await Promise.all([host.stop(), another.stop()]);
});

it("delivers in another process if the handler of the first process hangs", async () => {
  const { pay, openHost } = await openShop();
  const slow = aSlowHandler();
  const { received, handle } = aRecorder();
  const [first, second] = [await openHost(slow.handle), await openHost(handle)];
  await pay("order-1");
  const round = first.run();
  await vi.advanceTimersByTimeAsync(0);
  await second.run();
  expect([slow.received, received]).toEqual([["order-1"], []]);
  // The attempt fails at its deadline, and the delivery is due again after a pause.
  await vi.advanceTimersByTimeAsync(MINUTE);
  await round;
  second.clock.advance(HOUR);
  await second.run();
  expect(received).toEqual(["order-1"]);
  // The handler ends late. This changes nothing any more.
  slow.end();
  await vi.advanceTimersByTimeAsync(0);
  second.clock.advance(HOUR);
  await second.run();
  expect(received).toEqual(["order-1"]);
  await Promise.all([first.stop(), second.stop()]);
});

const unreadable = new Proxy(new Error("broken"), {
  get: () => {
    throw new Error("no field");
  },
});

it.each([
  ["null", null],
  ["a text", "broken"],
  ["an error whose fields throw", unreadable],
])("tries again after a handler threw %s", async (_, thrown) => {
  const { pay, openHost } = await openShop();
  const { received, handle } = aRecorder();
  let fails = true;
  const host = await openHost(async (event) => {
    if (fails) AbortSignal.abort(thrown).throwIfAborted();
    return handle(event);
  });
  await pay("order-1");
  await host.run();
  expect(host.seen).toContainEqual(expect.objectContaining({ type: "event.failed", reason: "threw" }));
  fails = false;
  host.clock.advance(HOUR);
  await host.run();
  expect(received).toEqual(["order-1"]);
  await host.stop();
});

it("delivers an event again if it is replayed while its handler runs", async () => {
  const { shop, pay, openHost } = await openShop();
  const slow = aSlowHandler();
  const host = await openHost(slow.handle);
  const { appId, bizNo } = await pay("order-1");
  const round = host.run();
  await vi.advanceTimersByTimeAsync(0);
  await orThrow(replayEvents(shop.ports, { handler: "mailer", appId, bizNo }));
  slow.end();
  await round;
  expect(host.seen).not.toContainEqual(expect.objectContaining({ type: "event.delivered" }));
  const again = host.run();
  await vi.advanceTimersByTimeAsync(0);
  slow.end();
  await again;
  expect(slow.received).toEqual(["order-1", "order-1"]);
  expect(host.seen).toContainEqual(expect.objectContaining({ type: "event.delivered" }));
  await host.stop();
});

it("stops a delivery if its handler is removed and registered again while the delivery runs", async () => {
  const { shop, pay, openHost } = await openShop();
  const slow = aSlowHandler();
  const host = await openHost(slow.handle);
  const { appId, bizNo } = await pay("order-1");
  const round = host.run();
  await vi.advanceTimersByTimeAsync(0);
  const { eventDeliveries, clock } = shop.ports;
  await orThrow(eventDeliveries.removeHandler("mailer"));
  await orThrow(eventDeliveries.registerHandler("mailer", clock.now()));
  slow.end();
  await round;
  expect(await orThrow(eventDeliveries.find({ handler: "mailer", appId, bizNo }))).toBeUndefined();
  await pay("order-2");
  const next = host.run();
  await vi.advanceTimersByTimeAsync(0);
  slow.end();
  await next;
  expect(slow.received).toEqual(["order-1", "order-2"]);
  await host.stop();
});

it("loses no event if the clock of a process goes back while a handler runs", async () => {
  const { pay, openHost } = await openShop();
  const slow = aSlowHandler();
  const host = await openHost(slow.handle);
  await pay("order-1");
  const round = host.run();
  await vi.advanceTimersByTimeAsync(0);
  host.clock.set(host.clock.now() - HOUR);
  slow.end();
  await round;
  expect(slow.received).toEqual(["order-1"]);
  // The event of another process is due when this clock has caught up.
  await pay("order-2");
  await host.run();
  expect(slow.received).toEqual(["order-1"]);
  host.clock.advance(HOUR);
  const next = host.run();
  await vi.advanceTimersByTimeAsync(0);
  slow.end();
  await next;
  expect(slow.received).toEqual(["order-1", "order-2"]);
  await host.stop();
});

it("tries a failed event again when a clock that went back has caught up", async () => {
  const { pay, openHost } = await openShop();
  const received: string[] = [];
  let fails = true;
  const host = await openHost(async ({ type }) => {
    if (fails) throw new Error("broken");
    received.push(type);
  });
  await pay("order-1");
  await host.run();
  host.clock.set(host.clock.now() - HOUR);
  fails = false;
  await host.run();
  expect(received).toEqual([]);
  host.clock.advance(3 * HOUR);
  await host.run();
  expect(received).toEqual(["order.paid"]);
  await host.stop();
});
