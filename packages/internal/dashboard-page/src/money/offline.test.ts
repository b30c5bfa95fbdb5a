import { setTimeout } from "node:timers/promises";
import { expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { openApp } from "../testing/demo-shop.js";
import { fillRefund } from "../testing/refund-steps.js";
import { describeEverywhere } from "../testing/test-page.js";

/** How long a request that waited in the page would need to be sent, in milliseconds. */
const LATER = 1_500;

describeEverywhere("a change without a connection", {}, ({ host, open }) => {
  const changes = () =>
    host().seen.filter(({ method, url }) => method === "POST" && /refunds$|close$/.test(url));

  it("fails at once, and nothing is sent later: a refund", async () => {
    const app = await openApp(host(), "Offline");
    await app.pay(await app.order({ bizNo: "offline-1" }));
    const page = await open(`/orders/${app.appId}/offline-1`, { role: "finance" });
    await fillRefund(page, "6.00");
    await page.context().setOffline(true);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Refund now" }).click();
    await dialog.getByText("You are offline. Nothing was sent").waitFor({ timeout: 2_000 });
    await dialog.getByRole("button", { name: "Change the amount" }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.context().setOffline(false);
    await setTimeout(LATER);
    expect(changes()).toEqual([]);
    expect(await expectOk(host().ports.refunds.list({ appId: app.appId, bizNo: "offline-1" }))).toEqual([]);
    // The operator can still make the refund, and exactly one is stored.
    await page.reload();
    await fillRefund(page, "6.00");
    await page.getByRole("button", { name: "Refund now" }).click();
    await page.getByText(/is refunded\./).waitFor();
    expect(await expectOk(host().ports.refunds.list({ appId: app.appId, bizNo: "offline-1" }))).toHaveLength(
      1,
    );
  });

  it("fails at once, and nothing is sent later: a change that needs a reason", async () => {
    const app = await openApp(host(), "Offline");
    await app.order({ bizNo: "offline-2" });
    const page = await open(`/orders/${app.appId}/offline-2`, { role: "support" });
    await page.getByRole("button", { name: "Close", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("cancelled");
    const before = changes().length;
    await page.context().setOffline(true);
    await dialog.getByRole("button", { name: "Close", exact: true }).click();
    await dialog.getByText("You are offline. Nothing was sent").waitFor({ timeout: 2_000 });
    // What was typed stays.
    expect(await dialog.getByLabel("Reason").inputValue()).toBe("cancelled");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.context().setOffline(false);
    await setTimeout(LATER);
    expect(changes()).toHaveLength(before);
    const order = await expectOk(host().ports.orders.find({ appId: app.appId, bizNo: "offline-2" }));
    expect(order?.paymentStatus).toBe("PENDING");
  });

  it("is sent once by two presses", async () => {
    const app = await openApp(host(), "Twice");
    await app.pay(await app.order({ bizNo: "twice-1" }));
    const page = await open(`/orders/${app.appId}/twice-1`, { role: "finance" });
    await fillRefund(page, "2.00", "2");
    const before = changes().length;
    await page.getByRole("button", { name: "Refund now" }).dblclick();
    await page.getByText(/is refunded\./).waitFor();
    expect(changes()).toHaveLength(before + 1);
  });
});
