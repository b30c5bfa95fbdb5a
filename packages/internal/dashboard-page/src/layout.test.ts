import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openDemoShop } from "./testing/demo-shop.js";
import { openLongShop } from "./testing/long-shop.js";
import { testPages } from "./testing/test-page.js";
import { type View, viewsOf } from "./testing/views.js";

/** Time for every view at every width on a busy machine, in milliseconds. */
const LONG = 600_000;
/** In pixels. 512, 640 and 720 are also windows of 1,024, 1,280 and 1,440 at 200 % zoom. */
const WIDTHS = [320, 390, 512, 640, 720, 1_024, 1_440] as const;

let demoId = "";
let long = { appId: "", bizNo: "" };
const { host, open } = testPages({
  prepare: async (started) => {
    demoId = (await openDemoShop(started)).notes.appId;
    long = await openLongShop(started);
  },
});

/** Every view, with the order and the search of the longest texts. */
function views(): readonly View[] {
  return [
    ...viewsOf(demoId),
    { name: "order-long", path: `/orders/${long.appId}/${long.bizNo}` },
    { name: "search-long", path: `/search?q=${"c".repeat(64)}` },
    { name: "orders-long-filter", path: `/orders?customer=${"c".repeat(64)}&status=PAID` },
    { name: "downloads-store", path: `/downloads?app=${demoId}&store=appstore&by=week` },
    { name: "report-long", path: "/reports?period=2026-11&gateway=DEV" },
    { name: "service-types-long", path: `/setup?tab=service-types&app=${long.appId}` },
  ];
}

/**
 * Returns what is wider than its place: the page, a table, or a control outside of the window.
 *
 * The bars of links scroll by design, and a list shortens texts with an ellipsis.
 */
const TOO_WIDE = `(() => {
  const found = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push("page: " + scrollWidth);
  for (const table of document.querySelectorAll(".table-frame, .modal, .panel"))
    if (table.scrollWidth > table.clientWidth) found.push(table.className + ": " + table.scrollWidth);
  for (const control of document.querySelectorAll("a, button, input, select, textarea, h1, h2, dd, p")) {
    if (control.closest(".tabs, .quick, .navigation, .skip, .compact td, .visually-hidden") !== null) continue;
    const { left, right, width } = control.getBoundingClientRect();
    if (width > 0 && (left < -0.5 || right > clientWidth + 0.5))
      found.push(control.tagName + ": " + control.textContent.slice(0, 20));
  }
  return found;
})()`;

async function tooWide(page: Page): Promise<readonly string[]> {
  // Two frames, for observers that draw after a change of the width.
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  return z.array(z.string()).parse(await page.evaluate(TOO_WIDE));
}

async function loaded(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.locator("main:not(:has([aria-busy=true]))").waitFor();
}

describe("nothing scrolls sideways, with the longest texts", () => {
  it.each(["en", "zh"] as const)("in %s", { timeout: LONG }, async (lang) => {
    const page = await open("/account", { role: "admin" });
    const found: string[] = [];
    for (const { name, path } of views()) {
      await page.goto(`${host().url}${path}${path.includes("?") ? "&" : "?"}lang=${lang}`);
      await loaded(page);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        found.push(...(await tooWide(page)).map((what) => `${name} at ${String(width)}: ${what}`));
      }
    }
    expect(found).toEqual([]);
  });

  it("in the dialogs of an order", async () => {
    const page = await open(`/orders/${long.appId}/${long.bizNo}`, { role: "admin" });
    for (const button of ["Sync", "Refund…"]) {
      await page.setViewportSize({ width: 1_024, height: 800 });
      await page.getByRole("button", { name: button, exact: true }).click();
      await page.getByRole("dialog").waitFor();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        expect(await tooWide(page), `${button} at ${String(width)}`).toEqual([]);
      }
      await page.setViewportSize({ width: 1_024, height: 800 });
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  });
});

it("the dialogs of the counts of a store fit every window", async () => {
  const page = await open(`/downloads?app=${demoId}&store=appstore`, { role: "admin" });
  for (const button of ["Set counts", "Delete counts"]) {
    await page.setViewportSize({ width: 1_024, height: 800 });
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("dialog").waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 640 });
      expect(await tooWide(page), `${button} at ${String(width)}`).toEqual([]);
    }
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
});

it("a form with many fields fits every window", async () => {
  const page = await open("/setup?tab=pay-tools", { role: "admin" });
  await page.getByRole("button", { name: "Change keys" }).first().click();
  await page.getByRole("dialog").waitFor();
  expect(await page.evaluate("document.activeElement.getAttribute('autocomplete')")).toBe("off");
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 640 });
    expect(await tooWide(page), `at ${String(width)}`).toEqual([]);
  }
});

describe("on a phone", () => {
  const viewport = { width: 390, height: 844 };

  it("an order takes at most three lines of the list", async () => {
    const page = await open("/orders", { role: "admin", viewport });
    await loaded(page);
    const rows = page.locator("main tbody tr");
    await rows.first().waitFor();
    const heights = await Promise.all((await rows.all()).map((row) => row.boundingBox()));
    expect(heights.length).toBeGreaterThan(20);
    // Three lines of 21 pixels, the distances between them, and the space around them.
    expect(Math.max(...heights.map((box) => box?.height ?? 0))).toBeLessThanOrEqual(3 * 21 + 2 * 4 + 22);
    const first = await rows.filter({ hasText: "N20261123-0901" }).innerText();
    for (const shown of ["N20261123-0901", "¥198.00", "会员年卡", "Paid", "Alarm", "user-1"]) {
      expect(first).toContain(shown);
    }
  });

  it.each(["/audit", "/setup?tab=operators", "/today"])("the current tab of %s is in view", async (path) => {
    const page = await open(path, { role: "admin", viewport: { width: 320, height: 640 } });
    await loaded(page);
    for (const current of await page.locator("nav [aria-current=page]").all()) {
      const box = await current.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
    }
  });
});
