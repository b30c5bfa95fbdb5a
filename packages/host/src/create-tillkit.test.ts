import { readFileSync } from "node:fs";
import { defaultPolicy, type Order, type Ports, type ServiceEvent } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";
import { errAsync, okAsync, ResultAsync } from "neverthrow";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createTillkit, type TillkitOptions } from "./create-tillkit.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const KEYRING = { peppers: [{ version: 1, key: new Uint8Array(32).fill(7) }] };

/** Creates a host on memory that records its events. */
function aHost(options: Partial<TillkitOptions> = {}) {
  const events: ServiceEvent[] = [];
  const { wallets, clock, ...stores } = memoryPorts();
  const tillkit = createTillkit({
    stores,
    wallets,
    clock,
    publicUrl: "https://pay.example.com/",
    keyring: KEYRING,
    observer: { onEvent: (event) => events.push(event) },
    ...options,
  });
  return { tillkit, events, stores };
}

/** Creates a paid order, which needs no query of its wallet. */
function anOrder(id: string): Order {
  return {
    appId: "app",
    bizNo: id,
    id,
    customerIdentity: "u",
    amount: 1,
    goodsTitle: "t",
    paySource: "APP",
    payChannel: "WALLET_A",
    paymentStatus: "PAID",
    payToolId: "p",
    notifyUrl: "n",
    returnUrl: "r",
    expiresAt: 0,
    refundedAmount: 0,
    gmtCreate: 0,
    gmtModified: 0,
  };
}

/** A task that waits until the test ends it. */
function aSlowTask() {
  let end: () => void = () => undefined;
  const step = () =>
    new ResultAsync(
      new Promise<Awaited<ReturnType<typeof done>>>((resolve) => (end = () => void done().then(resolve))),
    );
  const done = () => okAsync({ more: false });
  return { task: { step, everyMs: 1_000 }, end: () => end() };
}

it("returns the ports of a host, with the URL of the notifications", () => {
  const { tillkit } = aHost();
  expect(tillkit.ports.notificationsUrl).toBe("https://pay.example.com/wallets");
  expect(tillkit.ports.policy.orderTtl).toBe(7_200_000);
  const moved = aHost({ publicUrl: "https://pay.example.com/shop", notificationsPath: "/hooks/pay" });
  expect(moved.tillkit.ports.notificationsUrl).toBe("https://pay.example.com/shop/hooks/pay");
});

it("states the version of its package", () => {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  expect(manifest).toContain(`"version": "${aHost().tillkit.version}"`);
});

it.each([
  "",
  "pay.example.com",
  "ftp://pay.example.com",
  "https://pay.example.com?x=1",
  "https://pay.example.com?",
  "https://pay.example.com#",
  "https://u:p@pay.example.com",
])("rejects the publicUrl %j", (publicUrl) => {
  expect(() => aHost({ publicUrl })).toThrow("publicUrl must be");
});

it.each(["wallets", "/wallets/", "/", "/a?b"])("rejects the notificationsPath %j", (notificationsPath) => {
  expect(() => aHost({ notificationsPath })).toThrow("notificationsPath must");
});

it("runs every task, and reports each step to the observer and in its health", async () => {
  const { tillkit, events } = aHost({ background: { reconcileEveryMs: 1_000 } });
  tillkit.start();
  tillkit.start();
  await vi.advanceTimersByTimeAsync(3_600_000);
  const ran = events.flatMap((event) => (event.type === "task.ran" ? [event.task] : []));
  expect(new Set(ran)).toEqual(new Set(["reconcile", "housekeeping", "credentials", "bills"]));
  const steps = ran.filter((task) => task === "reconcile").length;
  expect(steps).toBeGreaterThan(2_900);
  expect(steps).toBeLessThan(4_600);
  const { ready, background } = await tillkit.health();
  expect(ready).toBe(true);
  expect(Object.keys(background).sort()).toEqual(["bills", "credentials", "housekeeping", "reconcile"]);
  expect(background["reconcile"]).toEqual({ succeededAt: tillkit.ports.clock.now() });
  expect(await tillkit.stop()).toEqual({ unfinished: [] });
  expect(vi.getTimerCount()).toBe(0);
});

it("reconciles round after round while the rounds are full", async () => {
  const { tillkit, stores } = aHost({ background: { reconcileBatch: 2 } });
  const full = [anOrder("1"), anOrder("2")];
  const claimDue = vi.spyOn(stores.orders, "claimDue");
  claimDue.mockReturnValueOnce(okAsync(full)).mockReturnValueOnce(okAsync(full));
  tillkit.start();
  await tillkit.runNow("reconcile");
  expect(claimDue).toHaveBeenCalledTimes(3);
  await tillkit.stop();
});

it("reports a failing task, and keeps the time of its last success", async () => {
  let fails = false;
  const cause = new Error("connection lost");
  const step = () => {
    if (fails) return errAsync({ name: "storage.unavailable", cause });
    return okAsync({ more: false });
  };
  const { tillkit, events } = aHost({ background: { tasks: { mine: { step, everyMs: 1_000 } } } });
  tillkit.start();
  await tillkit.runNow("mine");
  const succeededAt = tillkit.ports.clock.now();
  fails = true;
  await tillkit.runNow("mine");
  expect((await tillkit.health()).background["mine"]).toEqual({
    succeededAt,
    failure: "storage.unavailable",
  });
  const failed = { task: "mine", durationMs: 0, failure: "storage.unavailable", cause };
  expect(events).toContainEqual(expect.objectContaining({ type: "task.ran", ...failed }));
  await tillkit.stop();
});

it("runs each step and its report inside of aroundStep, with a new trace id or that of a span", async () => {
  const inside: string[] = [];
  const ids: string[] = [];
  let isInside = false;
  const { tillkit, events } = aHost({
    background: {
      tasks: { mine: { step: () => okAsync({ more: false }), everyMs: 1_000 } },
      aroundStep: async ({ task, traceId }, step) => {
        if (task !== "mine") return step();
        ids.push(traceId);
        isInside = true;
        const result = await (ids.length === 1 ? step() : step("span-1"));
        isInside = false;
        return result;
      },
    },
    observer: {
      onEvent: (event) => {
        if (event.type === "task.ran" && event.task === "mine" && isInside) inside.push(event.traceId);
      },
    },
  });
  tillkit.start();
  await tillkit.runNow("mine");
  await tillkit.runNow("mine");
  await tillkit.stop();
  expect(events).toEqual([]);
  expect(inside).toEqual([ids[0], "span-1"]);
  expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(ids[1]).not.toBe(ids[0]);
});

it("counts a step as failed if aroundStep rejects, and reports each step once", async () => {
  const cause = new Error("no span");
  const { tillkit, events } = aHost({
    background: {
      tasks: { mine: { step: () => okAsync({ more: false }), everyMs: 1_000 } },
      aroundStep: () => Promise.reject(cause),
    },
  });
  tillkit.start();
  await tillkit.runNow("mine");
  await tillkit.stop();
  const ran = events.filter((event) => event.type === "task.ran" && event.task === "mine");
  expect(ran).toMatchObject([{ failure: "task.threw", cause }]);
  expect((await tillkit.health()).background["mine"]).toEqual({ failure: "task.threw" });
});

it("gives the tasks the wrapped ports, and the surfaces the unwrapped ports", async () => {
  const wrapped: Ports[] = [];
  const seen: string[] = [];
  const { tillkit } = aHost({
    background: {
      wrapPorts: (ports) => {
        wrapped.push(ports);
        return { ...ports, observer: { onEvent: ({ type }) => seen.push(type) } };
      },
    },
  });
  tillkit.start();
  await tillkit.runNow("housekeeping");
  await tillkit.stop();
  expect(wrapped).toEqual([tillkit.ports]);
  expect(seen).toContain("task.ran");
});

it("reports the remedy of a misconfigured storage, for tasks and for the check of the storage", async () => {
  const failure = {
    name: "storage.misconfigured",
    remedy: "Grant select on apps.",
    cause: "denied",
  } as const;
  const failing = () => errAsync(failure);
  const { tillkit, events } = aHost({
    checkStorage: failing,
    background: { tasks: { mine: { step: failing, everyMs: 1_000 } } },
  });
  const { name, remedy, cause } = failure;
  expect(await tillkit.health()).toMatchObject({ ready: false, why: name });
  expect(events).toEqual([{ type: "host.not-ready", why: name, remedy, cause }]);
  tillkit.start();
  await tillkit.runNow("mine");
  expect(events).toContainEqual({ type: name, remedy, cause });
  await tillkit.stop();
});

it.each([
  ["reconcile", 1_000, 'The task "reconcile" is built in'],
  ["mine", 0, "must be at least 1 ms"],
  ["mine", NaN, "must be at least 1 ms"],
])("rejects the task %s with a pause of %d ms", async (name, everyMs, message) => {
  const step = () => okAsync({ more: false });
  const { tillkit } = aHost({ background: { tasks: { [name]: { step, everyMs } } } });
  expect(() => tillkit.start()).toThrow(message);
});

it("continues after a task that throws and an observer that throws", async () => {
  let steps = 0;
  const step = () => {
    steps += 1;
    throw new Error("bug");
  };
  const { tillkit } = aHost({
    background: { tasks: { mine: { step, everyMs: 1_000 } } },
    observer: {
      onEvent: () => {
        throw new Error("bug");
      },
    },
  });
  tillkit.start();
  await tillkit.runNow("mine");
  await tillkit.runNow("mine");
  expect(steps).toBe(2);
  expect((await tillkit.health()).background["mine"]).toEqual({ failure: "task.threw" });
  await tillkit.stop();
});

it("returns the name of a task that has not ended within the deadline", async () => {
  const { task, end } = aSlowTask();
  const { tillkit } = aHost({ background: { tasks: { slow: task } } });
  tillkit.start();
  await vi.advanceTimersByTimeAsync(2_000);
  const stopping = tillkit.stop(5_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await stopping).toEqual({ unfinished: ["slow"] });
  end();
  expect(await tillkit.stop()).toEqual({ unfinished: [] });
});

it("is not ready while it stops, and cannot be started again", async () => {
  const { tillkit } = aHost();
  await tillkit.stop();
  expect(await tillkit.health()).toEqual({ ready: false, why: "stopping", background: {} });
  expect(() => tillkit.start()).toThrow("was stopped");
  await expect(tillkit.runNow("reconcile")).rejects.toThrow("Call start() first");
});

it("shares one check among concurrent probes, and reuses its result for a second", async () => {
  const checkStorage = vi.fn(() => okAsync(undefined));
  const { tillkit } = aHost({ checkStorage });
  const probes = await Promise.all([tillkit.health(), tillkit.health(), tillkit.health()]);
  expect(probes.every(({ ready }) => ready)).toBe(true);
  await vi.advanceTimersByTimeAsync(999);
  await tillkit.health();
  expect(checkStorage).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  await tillkit.health();
  expect(checkStorage).toHaveBeenCalledTimes(2);
});

it("starts no second check while a late check still runs, and uses the result of the late check", async () => {
  let end: () => void = () => undefined;
  const late = () =>
    new ResultAsync(
      new Promise<Awaited<ReturnType<typeof done>>>((resolve) => (end = () => void done().then(resolve))),
    );
  const done = () => okAsync(undefined);
  const checkStorage = vi.fn(late);
  const { tillkit } = aHost({ checkStorage });
  for (const _probe of [1, 2]) {
    const probe = tillkit.health();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await probe).toMatchObject({ ready: false, why: "storage.timeout" });
  }
  expect(checkStorage).toHaveBeenCalledTimes(1);
  end();
  expect(await tillkit.health()).toMatchObject({ ready: true });
  expect(checkStorage).toHaveBeenCalledTimes(1);
});

it("reports when it gets ready or not ready, and for what reason, once each", async () => {
  const results = ["storage.read-only", "storage.read-only", "storage.disk-full", undefined, undefined];
  const checkStorage = () => {
    const name = results.shift();
    return name === undefined ? okAsync(undefined) : errAsync({ name, remedy: `End ${name}.`, cause: name });
  };
  const { tillkit, events } = aHost({ checkStorage });
  for (const _result of [...results]) {
    await Promise.all([tillkit.health(), tillkit.health()]);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  await tillkit.stop();
  await tillkit.health();
  const notReady = (why: string) => ({ type: "host.not-ready", why, remedy: `End ${why}.`, cause: why });
  expect(events).toEqual([
    notReady("storage.read-only"),
    notReady("storage.disk-full"),
    { type: "host.ready" },
  ]);
});

it("returns the reason why its storage cannot be used", async () => {
  const failing = (check: TillkitOptions["checkStorage"]) =>
    aHost(check === undefined ? {} : { checkStorage: check }).tillkit.health();
  expect(await failing(() => errAsync({ name: "schema.too-new" }))).toMatchObject({ why: "schema.too-new" });
  const thrown = failing(() => {
    throw new Error("bug");
  });
  expect(await thrown).toMatchObject({ ready: false, why: "storage.unavailable" });
  const silent = failing(() => new ResultAsync(new Promise<never>(() => undefined)));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await silent).toMatchObject({ ready: false, why: "storage.timeout" });
});

it("writes to the readiness store unless another check is given", async () => {
  const { tillkit, stores } = aHost();
  const failure = { name: "storage.read-only", remedy: "Connect to the primary." } as const;
  const write = vi.spyOn(stores.readiness, "write").mockReturnValueOnce(errAsync(failure));
  expect(await tillkit.health()).toMatchObject({ ready: false, why: "storage.read-only" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await tillkit.health()).ready).toBe(true);
  expect(write.mock.calls).toEqual([[tillkit.ports.clock.now()], [tillkit.ports.clock.now()]]);
});

it("refuses a policy that core could not use, and names every problem", () => {
  const policy = {
    ...defaultPolicy,
    smsPerDay: -1,
    sourceFromTokens: ["huawei", "huawei"],
    payChannelNames: { WALLET_A: "WALLET_B", WALLET_B: "payer" },
  };
  expect(() => aHost({ policy })).toThrow(RangeError);
  expect(() => aHost({ policy })).toThrow(
    /smsPerDay .*; sourceFromTokens\[1\] .*; payChannelNames.WALLET_A /,
  );
});
