import { expectOk } from "@tillkit/contract-tests";
import type { BrowserContext, Page } from "playwright-core";
import { expect, it } from "vitest";
import { openApp } from "../testing/demo-shop.js";
import { fillRefund } from "../testing/refund-steps.js";
import { signIn } from "../testing/sign-in.js";
import { describeEverywhere } from "../testing/test-page.js";
import { wrongClock } from "../testing/wrong-clock.js";

/** More than the six connections that a browser opens to one host over HTTP/1.1. */
const TABS = 12;

/** Makes a tab look hidden or visible to its scripts. */
async function show(page: Page, state: "hidden" | "visible"): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "visibilityState", { configurable: true, value: "${state}" });
    document.dispatchEvent(new Event("visibilitychange"));
  `);
}

describeEverywhere("many pages of orders in one browser", {}, ({ host, profile }) => {
  const opened = (text: RegExp) => host().seen.filter(({ url }) => text.test(url)).length;

  async function openTabs(name: string, count: number, script?: string) {
    const app = await openApp(host(), name);
    const context: BrowserContext = await profile();
    if (script !== undefined) await context.addInitScript(script);
    await host().create(name, "finance");
    await signIn(host(), context, name);
    const numbers = Array.from({ length: count }, (_, nth) => `${name}-${String(nth + 1)}`);
    const pages: Page[] = [];
    for (const bizNo of numbers) {
      await app.pay(await app.order({ bizNo }));
      const page = await context.newPage();
      await page.goto(`${host().url}/orders/${app.appId}/${bizNo}`);
      await page.getByRole("heading", { name: `¥6.00 · ${bizNo}` }).waitFor();
      pages.push(page);
    }
    return { app, context, pages, first: pages[0]!, last: pages.at(-1)! };
  }

  it("all load, and the first one refunds at once", async () => {
    const { app, pages, first } = await openTabs("twelve", TABS);
    expect(pages).toHaveLength(TABS);
    await first.bringToFront();
    await fillRefund(first, "6.00");
    const pressed = performance.now();
    await first.getByRole("button", { name: "Refund now" }).click();
    await first.getByText(/is refunded\./).waitFor({ timeout: 5_000 });
    expect(performance.now() - pressed).toBeLessThan(5_000);
    const refunds = await expectOk(host().ports.refunds.list({ appId: app.appId, bizNo: "twelve-1" }));
    expect(refunds).toHaveLength(1);
    await first.context().close();
  });

  it("get the changes of their orders from one stream", async () => {
    const { app, context, pages, last } = await openTabs("watched", 3);
    // One stream watches all three.
    const all = () =>
      host().seen.some(({ url }) =>
        ["watched-1", "watched-2", "watched-3"].every(
          (bizNo) => url.includes(`order-events`) && url.includes(bizNo),
        ),
      );
    await expect.poll(all).toBe(true);
    await last.getByText("This page updates by itself.").waitFor();
    await app.refund("watched-3", "r-1", 100, "li");
    await last.getByText("¥1.00 refunded").waitFor({ timeout: 8_000 });
    // The tab with the stream closes, and another one takes over.
    const before = opened(/order-events/);
    await pages[0]?.close();
    await expect.poll(() => opened(/order-events/)).toBeGreaterThan(before);
    await app.refund("watched-3", "r-2", 150, "li");
    await last.getByText("¥2.50 refunded").waitFor({ timeout: 8_000 });
    await context.close();
  });

  it("have no stream while all of them are hidden", async () => {
    const { context, pages } = await openTabs("hidden", 2);
    await expect.poll(() => opened(/order-events.*hidden-2/)).toBeGreaterThan(0);
    for (const page of pages) await show(page, "hidden");
    await expect.poll(() => host().openStreams()).toBe(0);
    for (const page of pages) await show(page, "visible");
    await expect.poll(() => host().openStreams()).toBe(1);
    await context.close();
  });

  it("have no stream while all of them are hidden, also if none has worked yet", async () => {
    host().faults.buffersStreams = true;
    // The first tab's stream stays open until the stream of the second tab works.
    const { context, pages } = await openTabs("unready", 2);
    await expect.poll(() => opened(/order-events.*unready-2/)).toBeGreaterThan(0);
    for (const page of pages) await show(page, "hidden");
    await expect.poll(() => host().openStreams()).toBe(0);
    host().faults.buffersStreams = false;
    await context.close();
  });

  it.each([
    ["locks between tabs", "no-locks", "delete Navigator.prototype.locks"],
    ["messages between tabs", "no-channel", "delete globalThis.BroadcastChannel"],
  ])("follow their orders without a stream in a browser without %s", async (_what, name, script) => {
    const { app, context, first, last } = await openTabs(name, 2, script);
    await app.refund(`${name}-1`, "r-1", 100, "li");
    await app.refund(`${name}-2`, "r-1", 150, "li");
    await first.getByText("¥1.00 refunded").waitFor({ timeout: 20_000 });
    await last.getByText("¥1.50 refunded").waitFor({ timeout: 20_000 });
    expect(opened(new RegExp(`order-events.*${name}`))).toBe(0);
    await context.close();
  });

  it.each([
    ["two hours ahead", "ahead", 7_200_000],
    ["two hours behind", "behind", -7_200_000],
    ["a day behind", "yesterday", -86_400_000],
  ])("follow and refund their orders with a clock that is %s", async (_what, name, offset) => {
    const { app, context, first } = await openTabs(name, 1, wrongClock(offset));
    await app.refund(`${name}-1`, "r-1", 100, "li");
    await first.getByText("¥1.00 refunded").waitFor({ timeout: 20_000 });
    await fillRefund(first, "5.00");
    await first.getByRole("button", { name: "Refund now" }).click();
    await first.getByText(/is refunded\./).waitFor();
    const refunds = await expectOk(host().ports.refunds.list({ appId: app.appId, bizNo: `${name}-1` }));
    expect(refunds.map(({ amount }) => amount)).toEqual(expect.arrayContaining([100, 500]));
    expect(refunds).toHaveLength(2);
    await context.close();
  });

  it("still follow their orders if a proxy keeps back the events", async () => {
    host().faults.buffersStreams = true;
    const { app, context, first } = await openTabs("kept", 1);
    await app.refund("kept-1", "r-1", 100, "li");
    await first.getByText("¥1.00 refunded").waitFor({ timeout: 20_000 });
    host().faults.buffersStreams = false;
    await context.close();
  });
});
