import {
  createOrder,
  createOrderInput,
  deliverDueEvents,
  eventHandler,
  orThrow,
  parseInput,
  policyWith,
} from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { postgresStores } from "@tillkit/postgres";
import { readKeyring, systemClock } from "@tillkit/runtime";
import { describe, expect, it } from "vitest";
import { openHost } from "../testing/cli.js";
import { newApp, TOOL, wallets } from "../testing/fixture.js";

const HANDLER = ["--handler", "mailer"];

/** Opens a host with a paid order whose handler fails, until its delivery is parked. */
async function openWithParked() {
  const place = await openHost();
  const { ask, tillkit } = place;
  const appId = await newApp(ask);
  await ask(["pay-tools", "set", "--app", appId, await place.file("tool.json", TOOL)], {
    openWallets: wallets,
  });
  const { credentialKeys } = await orThrow(readKeyring(place.env["TILLKIT_KEYS_FILE"] ?? ""));
  const stores = postgresStores({ sql: place.sql, schema: place.schema, credentialKeys });
  const policy = policyWith({ eventTries: 1 });
  const ports = { ...memoryPorts(), ...stores, clock: systemClock, policy };
  await orThrow(ports.eventDeliveries.registerHandler("mailer", 0));
  const parameters = { bizNo: "b-1", amount: 600, goodsTitle: "A month", payChannel: "WALLET_A" };
  const input = parseInput(createOrderInput(ports.policy), { ...parameters, customerIdentity: "c" });
  const { order } = await orThrow(createOrder(ports, appId, orThrow(input)));
  const entry = { type: "PAID", at: 1, actor: "wallet", reason: "paid", alarm: true } as const;
  await orThrow(ports.orders.transition(order, { from: "PENDING", to: "PAID", at: 1, entry, pmtDt: 1 }));
  const received: string[] = [];
  const deliver = async (handle: () => Promise<void>) => {
    const handler = eventHandler({
      name: "mailer",
      handle: async ({ id }) => {
        await handle();
        received.push(id);
      },
    });
    return await orThrow(deliverDueEvents(ports, handler, { startTimer: () => () => undefined }));
  };
  await deliver(() => Promise.reject(new Error("down")));
  const key = ["--app", appId, "--biz-no", "b-1"];
  return { ask, tillkit, appId, order, key, received, deliver: () => deliver(async () => undefined) };
}

describe("tillkit events", () => {
  it("lists, replays and skips parked events", async () => {
    const { ask, tillkit, appId, order, key, received, deliver } = await openWithParked();
    const next = { seq: 2, index: 0 };
    const parked = { handler: "mailer", appId, bizNo: "b-1", next, tries: 1 };
    expect(await ask(["events", "list", "--parked"], { code: 1 })).toMatchObject({ deliveries: [parked] });
    expect((await tillkit(["events", "list"])).stdout).toMatch(/mailer .* 2-0 .* PARKED .* Error: \S/);
    expect(await ask(["events", "list", "--handler", "other"])).toEqual({ deliveries: [] });

    expect(await ask(["events", "replay", ...HANDLER, "--parked"])).toEqual({ orders: 1 });
    expect(await ask(["events", "list", "--parked"])).toEqual({ deliveries: [] });
    expect(await deliver()).toMatchObject({ delivered: 2 });
    expect(await ask(["events", "replay", ...HANDLER, ...key, "--from", `${order.id}-2-1`])).toEqual({
      next: { seq: 2, index: 1 },
    });
    expect(await deliver()).toMatchObject({ delivered: 1 });
    expect(await ask(["events", "replay", ...HANDLER, ...key, "--from", "2-1"])).toEqual({
      next: { seq: 2, index: 1 },
    });
    expect(received).toEqual([`${order.id}-2-0`, `${order.id}-2-1`, `${order.id}-2-1`]);
  });

  it("skips a parked event, and only a parked one", async () => {
    const { ask, order, key, received, deliver } = await openWithParked();
    const skip = ["events", "skip", ...HANDLER, ...key];
    expect(await ask(skip)).toEqual({ skipped: `${order.id}-2-0`, next: { seq: 2, index: 1 } });
    expect(await ask(skip, { code: 1 })).toMatchObject({ error: { name: "delivery.not-parked" } });
    await deliver();
    expect(received).toEqual([`${order.id}-2-1`]);
  });

  it("lists and removes handlers", async () => {
    const { ask, key } = await openWithParked();
    expect(await ask(["events", "handlers"])).toEqual({ handlers: ["mailer"] });
    expect(await ask(["events", "remove-handler", "mailer"])).toEqual({ removed: "mailer" });
    expect(await ask(["events", "remove-handler", "mailer"], { code: 1 })).toMatchObject({
      error: { name: "handler.unknown" },
    });
    expect(await ask(["events", "replay", ...HANDLER, ...key], { code: 1 })).toMatchObject({
      error: { name: "delivery.unknown" },
    });
  });

  it("refuses an unclear choice of events, and an event that does not exist", async () => {
    const { ask, key } = await openWithParked();
    const replay = ["events", "replay", ...HANDLER];
    expect(await ask(replay, { code: 2 })).toMatchObject({ error: { name: "usage.invalid" } });
    expect(await ask([...replay, ...key, "--parked"], { code: 2 })).toMatchObject({
      error: { name: "usage.invalid" },
    });
    expect(await ask([...replay, ...key, "--from", "x-1-0"], { code: 1 })).toMatchObject({
      error: { name: "event.not-found" },
    });
  });
});
