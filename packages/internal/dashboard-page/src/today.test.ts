import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openApp } from "./testing/demo-shop.js";
import { testPages } from "./testing/test-page.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let appId = "";
let otherId = "";
const { host, open } = testPages({
  prepare: async (started) => {
    const { clock } = started.ports;
    // Monday, 14:05 in China.
    const now = clock.now();
    const at = (hour: number) => now - (14 - hour) * HOUR;
    const app = await openApp(started, "Hours");
    appId = app.appId;
    otherId = (await openApp(started, "Quiet")).appId;
    clock.set(at(9) - 7 * DAY);
    await app.pay(await app.order({ bizNo: "last-monday", amount: 1_000 }));
    // After the present time of day: the comparison must not contain it.
    await app.refund("last-monday", "r-old", 50, "han");
    clock.set(at(20) - 7 * DAY);
    await app.pay(await app.order({ bizNo: "last-monday-evening", amount: 900_000 }));
    clock.set(now - 14 * HOUR - 10 * 60_000);
    const yesterday = await app.order({ bizNo: "created-yesterday", amount: 500 });
    clock.set(at(1));
    await app.pay(yesterday);
    await app.pay(await app.order({ bizNo: "at-one", amount: 700 }));
    clock.set(at(5));
    await app.order({ bizNo: "at-five" });
    clock.set(at(6));
    await app.pay(await app.order({ bizNo: "at-six", amount: 300, payChannel: "WALLET_B" }));
    await app.refund("at-six", "r-1", 100, "han");
    await app.refund("at-one", "r-2", 150, "han");
    clock.set(now);
  },
});

async function openToday(search = ""): Promise<Page> {
  const page = await open(`/today${search}`, { role: "admin" });
  await page.getByRole("heading", { name: "Today" }).waitFor();
  await page.getByText("As of").waitFor();
  return page;
}

/** Returns the refunds of the list that the page shows. */
async function listedRefunds(page: Page): Promise<readonly string[]> {
  await page.getByRole("heading", { name: "All refunds" }).waitFor();
  await page.locator("main:not(:has([aria-busy=true]))").waitFor();
  return page.locator("main tbody td:nth-child(3)").allInnerTexts();
}

/** Returns the orders of the list that the page shows. */
async function listed(page: Page): Promise<readonly string[]> {
  await page.getByRole("heading", { name: "Orders", exact: true }).waitFor();
  await page.locator("main:not(:has([aria-busy=true]))").waitFor();
  return page.locator("main tbody td:nth-child(2)").allInnerTexts();
}

describe("today", () => {
  it("has every hour, also those without orders", async () => {
    const page = await openToday();
    await page.locator(".chart canvas").waitFor();
    await page.getByText("Show the numbers").click();
    const rows = await page
      .getByRole("table", { name: /by hour/ })
      .locator("tbody tr")
      .allInnerTexts();
    expect(rows.map((row) => row.split(/\s+/).slice(0, 3).join(" "))).toEqual([
      "00:00 0 0",
      "01:00 1 1",
      "02:00 0 0",
      "03:00 0 0",
      "04:00 0 0",
      "05:00 1 0",
      "06:00 1 1",
      "07:00 0 0",
      "08:00 0 0",
      "09:00 0 0",
      "10:00 0 0",
      "11:00 0 0",
      "12:00 0 0",
      "13:00 0 0",
      "14:00 0 0",
    ]);
  });

  it("compares with the same weekday until the same time of day", async () => {
    const page = await openToday();
    const figures = page.locator(".figures");
    await figures.getByText("¥5.00 more (50%)").waitFor();
    expect(await figures.innerText()).toContain("than last Monday until 14:05: ¥10.00");
    expect(await figures.getByText("¥2.00 more").innerText()).toBe("¥2.00 more (400%)");
  });

  it.each<[string, (page: Page) => ReturnType<Page["locator"]>, readonly string[]]>([
    ["received", (page) => page.locator(".figures a").first(), ["at-six", "at-one", "created-yesterday"]],
    ["created", (page) => page.getByRole("link", { name: "Created 3" }), ["at-six", "at-five", "at-one"]],
    [
      "paid by channel",
      (page) =>
        page
          .getByRole("row", { name: /WALLET_B|Alipay/ })
          .getByRole("link")
          .first(),
      ["at-six"],
    ],
    ["pending", (page) => page.getByRole("link", { name: /Pending orders/ }), ["at-five"]],
  ])("leads from the number %s to exactly the orders that it counts", async (_number, linkOf, expected) => {
    const page = await openToday();
    await linkOf(page).click();
    await expect.poll(() => listed(page)).toEqual(expected);
  });

  it.each<[string, (page: Page) => ReturnType<Page["locator"]>, readonly string[]]>([
    ["refunded", (page) => page.locator(".figures a").nth(1), ["r-1", "r-2"]],
    [
      "refunds by channel",
      (page) =>
        page
          .getByRole("row", { name: /Alipay/ })
          .getByRole("link")
          .last(),
      ["r-1"],
    ],
  ])("leads from the number %s to exactly the refunds that it counts", async (_number, linkOf, expected) => {
    const page = await openToday();
    await linkOf(page).click();
    await expect.poll(async () => (await listedRefunds(page)).toSorted()).toEqual(expected);
  });

  it("leads from an hour to the orders of that hour", async () => {
    const page = await openToday();
    await page.getByText("Show the numbers").click();
    await page.getByRole("row", { name: /05:00/ }).getByRole("link").click();
    await expect.poll(() => listed(page)).toEqual(["at-five"]);
    expect(await page.getByLabel("From", { exact: true }).inputValue()).toBe("2026-11-23T05:00");
  });

  it("keeps the chosen app in the lists behind the numbers", async () => {
    const page = await openToday(`?app=${otherId}`);
    await page.locator(".figures a").first().click();
    await page.getByText("No order matches").waitFor();
    expect(new URL(page.url()).searchParams.get("app")).toBe(otherId);
    await page.goto(`${host().url}/today?app=${appId}`);
    await page.getByRole("link", { name: /Pending orders/ }).click();
    await expect.poll(() => listed(page)).toEqual(["at-five"]);
  });
});
