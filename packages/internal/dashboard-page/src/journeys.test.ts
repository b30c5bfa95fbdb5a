import { text } from "node:stream/consumers";
import { aCount, expectOk } from "@tillkit/contract-tests";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openApp } from "./testing/demo-shop.js";
import { testPages } from "./testing/test-page.js";

const { host, open } = testPages();

type App = Awaited<ReturnType<typeof openApp>>;

/** Refunds the order that the page shows. Without an amount, the whole rest. */
async function refund(page: Page, amount: string | undefined, confirm: string, button: string) {
  await page.getByRole("button", { name: "Refund…" }).click();
  if (amount !== undefined) await page.getByLabel("Amount in yuan").fill(amount);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByLabel("Reason").fill("broken on arrival");
  await page.getByLabel(`Type ${confirm} to confirm`).fill(confirm);
  await page.getByRole("button", { name: button }).click();
}

const detail = z.object({ data: z.object({ paymentStatus: z.string() }) });

/** Returns the status of an order, as the app of the customer sees it. */
async function statusOf({ appId, appSecret }: App, bizNo: string): Promise<string> {
  const answer = await fetch(`${host().payUrl}/detail.json?bizNo=${bizNo}&customerIdentity=user-1`, {
    headers: { APP_ID: appId, APP_SECRET: appSecret },
  });
  return detail.parse(await answer.json()).data.paymentStatus;
}

/** Decides about the only waiting refund of the apps that the operator sees. */
async function decide(page: Page, decision: "Approve" | "Reject", reason: string): Promise<void> {
  await page.getByRole("button", { name: decision }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: decision }).click();
  await dialog.waitFor({ state: "detached" });
}

describe("a refund", () => {
  it("of a part and then of the rest ends as REFUND for the caller", async () => {
    const app = await openApp(host(), "Parts");
    await app.pay(await app.order({ bizNo: "part-1", amount: 1_205 }));
    const page = await open(`/orders/${app.appId}/part-1`, { role: "finance" });
    await refund(page, "5", "5.00", "Refund now");
    await page.getByText("¥5.00 is refunded.").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText("¥7.05 can still be refunded.").waitFor();
    expect(await statusOf(app, "part-1")).toBe("PAID");
    await page.locator(".page-title").getByText("Partial refund").waitFor();
    await refund(page, undefined, "7.05", "Refund now");
    await page.getByText("¥7.05 is refunded.").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    expect(await page.getByRole("button", { name: "Refund…" }).count()).toBe(0);
    expect(await statusOf(app, "part-1")).toBe("REFUND");
    const refunds = await expectOk(host().ports.refunds.list({ appId: app.appId, bizNo: "part-1" }));
    // Both have the same time, so their order is not defined.
    const amounts = refunds.map(({ amount }) => amount).sort((left, right) => left - right);
    expect(amounts).toEqual([500, 705]);
    expect(refunds.map(({ status }) => status)).toEqual(["CONFIRMED", "CONFIRMED"]);
  });

  it("of a large amount needs another operator: its requester cannot approve it", async () => {
    const app = await openApp(host(), "Large");
    await app.pay(await app.order({ bizNo: "large-1", amount: 19_800 }));
    const first = await open(`/orders/${app.appId}/large-1`, { role: "finance", apps: [app.appId] });
    await refund(first, undefined, "198.00", "Request approval");
    await first.getByText(/refund of ¥[\d.]+ waits for the approval of a second operator\./).waitFor();
    await first.goto(`${host().url}/refunds`);
    await first.getByText("You requested this refund").waitFor();
    expect(await first.getByRole("button", { name: "Approve" }).count()).toBe(0);
    expect(await statusOf(app, "large-1")).toBe("PAID");
    const second = await open("/refunds", { role: "finance", apps: [app.appId] });
    await decide(second, "Approve", "checked the receipt");
    await second.getByText("No refund waits for approval.").waitFor();
    expect(await statusOf(app, "large-1")).toBe("REFUND");
    const query = { action: "refund.approve", apps: [app.appId], limit: 5 } as const;
    const { items } = await expectOk(host().ports.auditLog.search(query));
    expect(items).toMatchObject([{ reason: "checked the receipt", outcome: "done" }]);
  });

  it("that another operator rejects moves no money", async () => {
    const app = await openApp(host(), "Rejected");
    await app.pay(await app.order({ bizNo: "rejected-1", amount: 19_800 }));
    const first = await open(`/orders/${app.appId}/rejected-1`, { role: "support" });
    await refund(first, "120", "120.00", "Request approval");
    await first.getByText(/refund of ¥[\d.]+ waits for the approval of a second operator\./).waitFor();
    const second = await open("/refunds", { role: "finance", apps: [app.appId] });
    await decide(second, "Reject", "the course was used");
    await second.getByText("No refund waits for approval.").waitFor();
    expect(await statusOf(app, "rejected-1")).toBe("PAID");
    expect(await expectOk(host().ports.refunds.list({ appId: app.appId, bizNo: "rejected-1" }))).toEqual([]);
  });
});

it("the page creates a service type that an order then sells", async () => {
  const app = await openApp(host(), "Services");
  const page = await open(`/setup?tab=service-types&app=${app.appId}`, { role: "admin" });
  await page.getByRole("button", { name: "New service type" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Membership");
  await dialog.getByLabel("Duration in days").fill("30");
  await dialog.getByLabel("Number").fill("vip-30");
  await dialog.getByLabel("Reason").fill("the new plan");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("cell", { name: "vip-30" }).waitFor();
  await app.pay(await app.order({ bizNo: "vip-1", serviceTypeNo: "vip-30" }));
  const [service] = await expectOk(host().ports.services.list(app.appId, "user-1"));
  expect(service).toMatchObject({ serviceTypeNo: "vip-30", serviceName: "Membership" });
});

it("the page draws the chart of downloads, with its numbers as a table", async () => {
  const app = await openApp(host(), "Downloads");
  const counts = ["2026-11-20", "2026-11-21", "2026-11-22"].map((date, nth) =>
    aCount({ appId: app.appId, store: "store_01", date, newDownloads: 1_000 + nth, updateDownloads: 7 }),
  );
  await expectOk(host().ports.downloads.upsert([counts]));
  const query = `from=2026-11-20&until=2026-11-22&app=${app.appId}`;
  const page = await open(`/downloads?${query}`, { role: "viewer" });
  await page.getByText("3,003").waitFor();
  // The page loads the code of its charts after its numbers.
  const drawn = () =>
    page.evaluate(`(() => {
      const canvas = document.querySelector("canvas");
      if (canvas === null) return 0;
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, place) => place % 4 === 3 && value > 0).length;
    })()`);
  await expect.poll(drawn).toBeGreaterThan(500);
  await page.getByText("Show the numbers").click();
  await page.getByRole("cell", { name: "1,002" }).waitFor();
});

it("the page shows on Today what waits for a person, and leads to it", async () => {
  const app = await openApp(host(), "Today");
  await app.pay(await app.order({ bizNo: "today-1", amount: 19_800 }));
  const page = await open(`/orders/${app.appId}/today-1`, { role: "support" });
  await refund(page, "150", "150.00", "Request approval");
  await page.getByText(/refund of ¥[\d.]+ waits for the approval of a second operator\./).waitFor();
  await page.goto(`${host().url}/today?app=${app.appId}`);
  await page.getByText("Success rate 100%").waitFor();
  await page.getByRole("link", { name: "1 Refunds that wait for approval" }).click();
  await page.getByRole("link", { name: "today-1" }).waitFor();
});

it("the page checks the chain of the audit log, and exports the log", async () => {
  const page = await open("/audit", { role: "finance" });
  await page.getByRole("button", { name: "Check the chain" }).click();
  await page.getByText(/The chain is intact up to entry \d+\./).waitFor();
  const started = page.waitForEvent("download");
  await page.getByText("Export CSV").click();
  const lines = (await text(await (await started).createReadStream())).trimEnd().split("\r\n");
  expect(lines.length).toBeGreaterThan(2);
});

it("the page changes the identity rules of an app", async () => {
  const app = await openApp(host(), "Rules");
  const page = await open("/setup?tab=apps", { role: "admin", apps: [app.appId] });
  await page.getByRole("button", { name: "Identity rules" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Refuse mainland mobile numbers and numbers with + or 00 as identities").uncheck();
  await dialog.getByLabel("Reason").fill("customers sign in by phone");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const stored = await expectOk(host().ports.apps.find(app.appId));
  expect(stored?.identityChecks).toEqual({
    email: true,
    phone: false,
    card: true,
    identityCard: true,
    walletAccount: true,
    bizNo: true,
  });
});

it("the page exports exactly the orders of the filter", async () => {
  const app = await openApp(host(), "Export");
  await app.pay(await app.order({ bizNo: "paid-1", goodsTitle: "=1+1" }));
  await app.order({ bizNo: "open-1" });
  const page = await open(`/orders?status=PAID&app=${app.appId}`, { role: "viewer" });
  await page.getByRole("link", { name: "paid-1" }).waitFor();
  const started = page.waitForEvent("download");
  await page.getByText("Export CSV").click();
  const file = await started;
  expect(file.suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await text(await file.createReadStream())).trimEnd().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`,paid-1,`);
  expect(lines[1]).toContain(`,"'=1+1",`);
});
