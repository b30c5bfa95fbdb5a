import { aCount, expectOk } from "@tillkit/contract-tests";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, it } from "vitest";
import { openApp } from "./testing/demo-shop.js";
import { testPages } from "./testing/test-page.js";

const { host, open } = testPages();
const STORE = "store_01";
const DAYS = ["2026-11-20", "2026-11-21", "2026-11-22"] as const;

/** Opens three days of a store. The days have 7, 8 and 9 new downloads. */
async function openStore(name: string, how: BrowserContextOptions = {}) {
  const { appId } = await openApp(host(), name);
  const counts = DAYS.map((date, nth) =>
    aCount({ appId, store: STORE, date, newDownloads: 7 + nth, updateDownloads: 1 }),
  );
  await expectOk(host().ports.downloads.upsert([counts]));
  const query = `app=${appId}&store=${STORE}&from=${DAYS[0]}&until=${DAYS[2]}`;
  const page = await open(`/downloads?${query}`, { role: "admin", ...how });
  await page.getByRole("button", { name: "Set counts" }).waitFor();
  return { page, appId };
}

/** Moves the focus by the tab key until it is on the control, as a person does. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = () =>
    page.evaluate("document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent");
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused()) === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`No control with the name ${name} gets the focus.`);
}

async function countsOf(appId: string) {
  return expectOk(host().ports.downloads.read(appId, DAYS[0], DAYS[2]));
}

it("an operator sets the counts of a store by keys alone, once, with the reason", async () => {
  const { page, appId } = await openStore("Keys");
  await tabTo(page, "Set counts");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await tabTo(page, "New");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("12");
  await tabTo(page, "Reason");
  await page.keyboard.type("the store restated the days");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // The focus returns to the button, and the totals are those of the store now.
  await page.getByText("36", { exact: true }).waitFor();
  await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe("Set counts");
  expect(await countsOf(appId)).toMatchObject([
    { store: STORE, newDownloads: [12, 12, 12], updateDownloads: [0, 0, 0] },
  ]);
  const audit = host().ports.auditLog.search({ action: "downloads.set", apps: [appId], limit: 9 });
  expect((await expectOk(audit)).items).toMatchObject([{ reason: "the store restated the days" }]);
});

it("the page deletes the counts of a store on a phone, and then says that there are none", async () => {
  const { page, appId } = await openStore("Phone", {
    viewport: { width: 320, height: 640 },
    hasTouch: true,
  });
  await page.getByRole("button", { name: "Delete counts" }).tap();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("counts of another app");
  await dialog.getByRole("button", { name: "Delete counts" }).tap();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("There are no downloads in this period.").waitFor();
  expect(await countsOf(appId)).toEqual([]);
});
