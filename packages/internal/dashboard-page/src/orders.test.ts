import { orThrow } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { openApp } from "./testing/demo-shop.js";
import { testPages } from "./testing/test-page.js";

const { host, open } = testPages();

describe("the search box", () => {
  it("opens the order of a pasted number, with spaces around it", async () => {
    const app = await openApp(host(), "Search");
    await app.order({ bizNo: "call-1", customerIdentity: "caller" });
    const page = await open("/orders", { role: "support" });
    await page.getByRole("heading", { name: "Orders" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("  call-1 ");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "¥6.00 · call-1" }).waitFor();
    expect(page.url()).toBe(`${host().url}/orders/${app.appId}/call-1`);
  });

  it("lists several hits, and says what was searched if there is none", async () => {
    const app = await openApp(host(), "Hits");
    await app.order({ bizNo: "hit-1", customerIdentity: "twice" });
    await app.order({ bizNo: "hit-2", customerIdentity: "twice" });
    const page = await open("/search?q=twice", { role: "viewer" });
    await page.getByRole("link", { name: "hit-2" }).waitFor();
    expect(await page.getByRole("link", { name: /^hit-/ }).count()).toBe(2);
    await page.goto(`${host().url}/search?q=nobody`);
    await page.getByText("Nothing was found.").waitFor();
    await page.getByText("Searched: order number").waitFor();
    await page.getByRole("link", { name: "Find orders by time, amount or status" }).click();
    await page.waitForURL(`${host().url}/orders`);
  });

  it("leads from a customer, an amount or a day to what it means", async () => {
    const app = await openApp(host(), "Ways");
    await app.order({ bizNo: "way-1", customerIdentity: "wayfarer", amount: 9_800 });
    await app.order({ bizNo: "way-2", customerIdentity: "wayfarer" });
    const page = await open("/search?q=wayfarer", { role: "support" });
    await page.getByRole("link", { name: "Customer wayfarer of Ways" }).click();
    await page.getByRole("heading", { name: "Customer wayfarer" }).waitFor();
    await page.goto(`${host().url}/search?q=${encodeURIComponent("¥98")}`);
    await page.getByRole("link", { name: "Orders of ¥98.00" }).click();
    await page.getByRole("link", { name: "way-1" }).waitFor();
    expect(await page.getByRole("link", { name: "way-2" }).count()).toBe(0);
    await page.goto(`${host().url}/search?q=2026-11-23`);
    await page.getByRole("link", { name: "Orders created on 2026-11-23" }).click();
    await page.getByRole("link", { name: "way-2" }).waitFor();
    expect(new URL(page.url()).search).toBe("?from=2026-11-23&until=2026-11-23");
  });

  it("does not find orders of other apps", async () => {
    const [mine, other] = [await openApp(host(), "Mine"), await openApp(host(), "Other")];
    await other.order({ bizNo: "secret-1" });
    const page = await open("/search?q=secret-1", { role: "support", apps: [mine.appId] });
    await page.getByText("Nothing was found.").waitFor();
    await page.goto(`${host().url}/orders/${other.appId}/secret-1`);
    await page
      .getByRole("alert")
      .getByText(/not found|does not exist/)
      .waitFor();
  });
});

describe("the page of an order", () => {
  it("shows the timeline in sentences with its evidence, and follows the order", async () => {
    const app = await openApp(host(), "Live");
    const order = await app.order({ bizNo: "live-1", amount: 1_205 });
    const page = await open(`/orders/${app.appId}/live-1`, { role: "viewer" });
    await page.getByRole("heading", { name: "¥12.05 · live-1" }).waitFor();
    await page.getByText("Created by the app's server").waitFor();
    await page.getByText("The next query of WeChat Pay").first().waitFor();
    await page.getByText("This page updates by itself.").waitFor();
    await app.pay(order);
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByText("Paid, confirmed by WeChat Pay's notification").waitFor();
    await page.getByText("The timeline is intact").waitFor();
    await timeline.getByText("Evidence").last().click();
    await timeline.getByText("PAID · wallet").waitFor();
    const main = page.getByRole("article");
    await main.getByText(/^Paid, confirmed by WeChat Pay's notification at \d\d:\d\d:\d\d$/).waitFor();
  });

  it("syncs and closes with a reason, which the audit log keeps", async () => {
    const app = await openApp(host(), "Actions");
    await app.order({ bizNo: "close-1" });
    const page = await open(`/orders/${app.appId}/close-1`, { role: "support" });
    for (const action of ["Sync", "Close"]) {
      await page.getByRole("button", { name: action, exact: true }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Reason").fill(`because of ${action}`);
      await dialog.getByRole("button", { name: action, exact: true }).click();
      await dialog.waitFor({ state: "detached" });
    }
    await page.getByText("Closed", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Close", exact: true }).count()).toBe(0);
    const entries = (await orThrow(host().ports.auditLog.search({ limit: 10 }))).items;
    expect(entries.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(["because of Sync", "because of Close"]),
    );
  });

  it("offers a viewer no changes, and no audit log", async () => {
    const app = await openApp(host(), "Viewer");
    await app.order({ bizNo: "view-1" });
    const page = await open(`/orders/${app.appId}/view-1`, { role: "viewer" });
    await page.getByRole("heading", { name: /view-1/ }).waitFor();
    expect(await page.getByRole("button", { name: /Sync|Close|Refund/ }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Audit" }).count()).toBe(0);
    await page.goto(`${host().url}/audit`);
    await page.getByRole("alert").getByText("Your role does not permit this action").waitFor();
  });
});

describe("the list of orders", () => {
  it("is narrowed with one press, which keeps the other filters", async () => {
    const app = await openApp(host(), "Presses");
    await app.order({ bizNo: "press-1", customerIdentity: "presser" });
    const paid = await app.order({ bizNo: "press-2", customerIdentity: "presser" });
    await app.pay(paid);
    await app.refund("press-2", "press-r", 200, "han");
    const page = await open("/orders?customer=presser", { role: "viewer" });
    const often = page.getByRole("navigation", { name: "Often used" });
    await often.getByRole("link", { name: "Paid" }).click();
    await page.getByText("Orders: 1", { exact: true }).waitFor();
    await page.getByRole("cell", { name: "Partial refund" }).waitFor();
    expect(new URL(page.url()).search).toBe("?customer=presser&status=PAID");
    expect(await often.locator("[aria-current=page]").textContent()).toBe("Paid");
    await often.getByRole("link", { name: "All" }).click();
    await page.getByText("Orders: 2", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Yesterday" }).click();
    await page.waitForURL(/customer=presser&from=\d{4}-\d\d-\d\d&until=/);
  });

  it("keeps its filters in the address, in yuan and days", async () => {
    const app = await openApp(host(), "Filters");
    await app.order({ bizNo: "cheap-1", amount: 100, customerIdentity: "filtered" });
    await app.order({ bizNo: "dear-1", amount: 99_900, customerIdentity: "filtered" });
    const page = await open("/orders?customer=filtered", { role: "viewer" });
    await page.getByRole("link", { name: "cheap-1" }).waitFor();
    await page.getByLabel("Amount from, ¥").fill("500.00");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("link", { name: "cheap-1" }).waitFor({ state: "detached" });
    expect(await page.getByRole("link", { name: "dear-1" }).count()).toBe(1);
    expect(new URL(page.url()).searchParams.get("min")).toBe("500.00");
    await page.reload();
    await page.getByText("Orders: 1").waitFor();
    await page.getByLabel("Status").selectOption("Paid");
    await page.getByText("No order matches these filters.").waitFor();
    expect(new URL(page.url()).searchParams.get("status")).toBe("PAID");
  });
});
