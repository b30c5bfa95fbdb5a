import {
  eventHandler,
  type EventHandler,
  type EventHandlerOptions,
  type OrderEvent,
  orThrow,
  type ServiceEvent,
} from "@tillkit/core";
import { aShop } from "@tillkit/memory";
import { errAsync } from "neverthrow";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTillkit, type TillkitOptions } from "./create-tillkit.js";
import { onEvent } from "./on-event.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const KEYRING = { peppers: [{ version: 1, key: new Uint8Array(32).fill(7) }] };

/** Creates a handler that records its events. */
function aRecorder(options: Partial<EventHandlerOptions> = {}) {
  const events: OrderEvent[] = [];
  const handler = { name: "recorder", handle: async (event: OrderEvent) => events.push(event), ...options };
  return { handler, events };
}

/** Opens a shop with an order, and a host on the same storage. */
async function aHost(options: Partial<TillkitOptions> = {}) {
  const shop = await aShop();
  const { ports } = shop;
  const seen: ServiceEvent[] = [];
  const tillkit = createTillkit({
    stores: ports,
    wallets: ports.wallets,
    clock: ports.clock,
    keyring: KEYRING,
    publicUrl: "https://pay.example.com",
    observer: { onEvent: (event) => seen.push(event) },
    ...options,
  });
  const paid = async (bizNo: string) => {
    const { order } = await shop.placeOrder({ bizNo });
    await shop.wallets.WALLET_A.notify(order);
  };
  return { shop, tillkit, seen, paid };
}

describe("createTillkit with event handlers", () => {
  it("delivers the events from its start on", async () => {
    const { handler, events } = aRecorder();
    const { tillkit, paid } = await aHost({ eventHandlers: [handler] });
    await paid("before");
    tillkit.start();
    await vi.advanceTimersByTimeAsync(100);
    await paid("after");
    await tillkit.runNow("events:recorder");
    expect(events.map(({ type, bizNo }) => [type, bizNo])).toEqual([["order.paid", "after"]]);
    expect((await tillkit.health()).background["events:recorder"]).toEqual({
      succeededAt: tillkit.ports.clock.now(),
    });
    expect(await tillkit.stop()).toEqual({ unfinished: [] });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("gives a handler at most `maxConcurrent` orders at once, and delivers the events of all orders", async () => {
    let running = 0;
    const atOnce: number[] = [];
    const recorder = eventHandler({
      name: "recorder",
      handle: async () => {
        running += 1;
        atOnce.push(running);
        await Promise.resolve();
        running -= 1;
      },
    });
    const { tillkit, paid } = await aHost({ eventHandlers: [{ ...recorder, maxConcurrent: 2 }] });
    tillkit.start();
    await tillkit.runNow("events:recorder");
    for (const bizNo of ["a", "b", "c", "d", "e"]) await paid(bizNo);
    await tillkit.runNow("events:recorder");
    expect(atOnce).toHaveLength(5);
    expect(Math.max(...atOnce)).toBe(2);
    await tillkit.stop();
  });

  it("delivers soon after a change by its own process, and polls for changes by other processes", async () => {
    const { handler, events } = aRecorder();
    const { tillkit, paid } = await aHost({
      eventHandlers: [handler],
      background: { eventsEveryMs: 60_000 },
    });
    tillkit.start();
    await vi.advanceTimersByTimeAsync(100);
    const { observer } = tillkit.ports;
    await paid("own");
    observer.onEvent({ type: "order.moved", appId: "a", orderId: "o", from: "PENDING", to: "PAID" });
    observer.onEvent({ type: "order.moved", appId: "a", orderId: "p", from: "PENDING", to: "PAID" });
    await vi.advanceTimersByTimeAsync(100);
    expect(events.map(({ bizNo }) => bizNo)).toEqual(["own"]);
    await paid("of-another-process");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(events).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(70_000);
    expect(events.map(({ bizNo }) => bizNo)).toEqual(["own", "of-another-process"]);
    await tillkit.stop();
  });

  it("delivers to the other handlers while one handler hangs, and aborts this handler", async () => {
    const signals: AbortSignal[] = [];
    const hanging: EventHandlerOptions = {
      name: "hanging",
      handle: (_event, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    };
    const { handler, events } = aRecorder();
    const { tillkit, paid, seen } = await aHost({
      eventHandlers: [hanging, handler],
      background: { eventsEveryMs: 1_000 },
    });
    tillkit.start();
    await vi.advanceTimersByTimeAsync(100);
    await paid("b-1");
    await vi.advanceTimersByTimeAsync(3_000);
    await paid("b-2");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(events.map(({ bizNo }) => bizNo)).toEqual(["b-1", "b-2"]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(signals[0]?.aborted).toBe(true);
    expect(seen).toContainEqual(
      expect.objectContaining({ type: "event.failed", handler: "hanging", reason: "timeout" }),
    );
    const stopped = tillkit.stop();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await stopped).toEqual({ unfinished: [] });
  });

  it("reports a storage that fails, and registers the handler later", async () => {
    const { handler } = aRecorder();
    const { shop, tillkit, seen } = await aHost({ eventHandlers: [handler] });
    shop.faults.fail("eventDeliveries", "registerHandler");
    tillkit.start();
    await vi.advanceTimersByTimeAsync(100);
    expect(seen).toContainEqual(
      expect.objectContaining({ task: "events:recorder", failure: "storage.unavailable" }),
    );
    await tillkit.runNow("events:recorder");
    expect(await orThrow(shop.ports.eventDeliveries.listHandlers())).toEqual(["recorder"]);
    await tillkit.stop();
  });

  it("rejects a name that is not usable or is used twice", async () => {
    const { handler } = aRecorder();
    await expect(aHost({ eventHandlers: [{ ...handler, name: "a b" }] })).rejects.toThrow('"a b" cannot be');
    await expect(aHost({ eventHandlers: [handler, eventHandler(handler)] })).rejects.toThrow(
      'Two event handlers have the name "recorder"',
    );
    const { tillkit } = await aHost({
      eventHandlers: [handler],
      background: { tasks: { "events:recorder": { step: () => errAsync({ name: "x" }), everyMs: 1 } } },
    });
    expect(() => tillkit.start()).toThrow('"events:recorder" is built in');
  });
});

describe("onEvent", () => {
  it("delivers the events of ports without createTillkit, until it is stopped", async () => {
    const shop = await aShop();
    const { handler, events } = aRecorder({ types: ["order.closed", "order.paid"] });
    const running = onEvent(shop.ports, handler);
    await vi.advanceTimersByTimeAsync(100);
    const { order } = await shop.placeOrder();
    await shop.wallets.WALLET_A.notify(order);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(events).toMatchObject([{ type: "order.paid", bizNo: "order-1", amount: order.amount }]);
    expect(await running.stop()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("accepts a handler that advances the delivery by itself", async () => {
    const shop = await aShop();
    const ids: string[] = [];
    const own: EventHandler = {
      name: "own",
      deliver: (event, { eventDeliveries, delivery, next, until }) => {
        ids.push(event.id);
        return eventDeliveries.advance(delivery, next, until);
      },
    };
    const running = onEvent(shop.ports, own);
    await running.runNow();
    const { order } = await shop.placeOrder();
    await shop.wallets.WALLET_A.notify(order);
    await running.runNow();
    await running.runNow();
    expect(ids).toEqual([`${order.id}-2-0`]);
    await running.stop();
  });

  it("stops waiting for a round that does not end", async () => {
    const shop = await aShop();
    const running = onEvent(shop.ports, { name: "slow", handle: () => new Promise(() => undefined) });
    await running.runNow();
    const { order } = await shop.placeOrder();
    await shop.wallets.WALLET_A.notify(order);
    void running.runNow();
    await vi.advanceTimersByTimeAsync(0);
    const stopped = running.stop(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await stopped).toBe(false);
  });
});
