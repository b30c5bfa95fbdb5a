import type { Ports } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { unique } from "../../support/fixtures.js";
import { type Caller, callerAt } from "../../support/http/caller.js";
import type { StartService } from "../../support/http/service.js";

const LIMITS = { maxConcurrent: 2, maxQueued: 2, queueTimeoutMs: 60_000 };
const FLOOD = 40;

/** Creates a promise that resolves when `open` is called. */
function aGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Delays app look-ups. Look-ups that start after `hold` wait until `resume` is called. */
function withBlockedStatement() {
  const gate = aGate();
  let begun = 0;
  let stored = false;
  return {
    begun: () => begun,
    hold: () => {
      stored = true;
      begun = 0;
    },
    /** Stops delaying new look-ups. Delayed look-ups still wait. */
    passAgain: () => {
      stored = false;
    },
    resume: gate.open,
    over: (apps: Ports["apps"]): Ports["apps"]["find"] => {
      return (appId) => {
        begun += 1;
        return stored ? apps.find(appId).map((app) => gate.opened.then(() => app)) : apps.find(appId);
      };
    },
  };
}

/** Tests that unauthenticated requests use no capacity of an authenticated app. */
export function fairnessContract(start: StartService): void {
  describe.each([
    ["made-up app ids", () => unique("app_")],
    ["the id of the app and a wrong secret", ({ appId }: Caller) => appId],
  ] as const)("a flood of requests with %s", (_claim, claimed) => {
    it.each([
      ["is cached", (apps: Ports["apps"]) => (appId: string) => apps.getCached(appId)],
      ["is looked up for each request", () => () => undefined],
    ] as const)("does not block requests of an app that %s", async (_how, cacheOf) => {
      const lookUps = withBlockedStatement();
      const service = await start({
        concurrency: LIMITS,
        ports: (ports) => ({
          ...ports,
          apps: { ...ports.apps, getCached: cacheOf(ports.apps), find: lookUps.over(ports.apps) },
        }),
      });
      const { demo, baseUrl } = service;
      expect((await demo.get("/payTools.json")).code).toBe(0);
      lookUps.hold();
      const flood = Array.from({ length: FLOOD }, () =>
        callerAt(baseUrl, { appId: claimed(demo), appSecret: "sk_wrong" }).get("/payTools.json"),
      );
      // The first response is a rejection, because the limiter and its queue are full.
      expect((await Promise.race(flood)).code).toBe(99998);
      expect(lookUps.begun()).toBe(LIMITS.maxConcurrent);
      lookUps.passAgain();
      for (let count = 0; count < 5; count += 1) {
        expect((await demo.get("/payTools.json")).code).toBe(0);
      }
      lookUps.resume();
      const codes = new Set((await Promise.all(flood)).map(({ code }) => code));
      expect([...codes].sort()).toEqual([1001, 99998]);
    });
  });

  it("rejects an app that is disabled while its request waits for a slot", async () => {
    const gate = aGate();
    const service = await start({
      concurrency: { ...LIMITS, maxConcurrent: 1 },
      ports: (ports) => ({
        ...ports,
        payTools: {
          ...ports.payTools,
          list: (appId) => ports.payTools.list(appId).map((tools) => gate.opened.then(() => tools)),
        },
      }),
    });
    const { demo, host } = service;
    const first = demo.get("/payTools.json");
    const second = demo.get("/payTools.json");
    const third = demo.get("/payTools.json");
    const fourth = demo.get("/payTools.json");
    // One request runs and two wait, so the fourth is rejected.
    expect((await Promise.race([first, second, third, fourth])).code).toBe(99998);
    await host.apps.setDisabled(demo.appId, true, host.clock.now());
    gate.open();
    const codes = await Promise.all([first, second, third, fourth].map(async (one) => (await one).code));
    expect(codes.sort()).toEqual([0, 1001, 1001, 99998]);
  });
}
