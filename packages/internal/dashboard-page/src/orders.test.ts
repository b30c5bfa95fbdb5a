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
    const entries = (await host().ports.auditLog.search({ limit: 10 }))._unsafeUnwrap().items;
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
