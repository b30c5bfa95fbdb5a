import { expectOk } from "@tillkit/contract-tests";
import { writePathSegment } from "@tillkit/core/text";
import { expect, it } from "vitest";
import { openApp } from "./testing/demo-shop.js";
import { testPages } from "./testing/test-page.js";

const { host, open } = testPages();

it("the page opens orders whose numbers a browser would take for a part of the address", async () => {
  const app = await openApp(host(), "Numbers");
  const numbers = [".", "..", "%2e", "%2e%2e", "a/b", "/", "?x=1", "#top", "a+b", "100%", "\\", "~2E"];
  for (const bizNo of numbers) await app.order({ bizNo });
  const page = await open("/today", { role: "admin" });
  for (const bizNo of numbers) {
    // From the list, by the address, and by the search box: all lead to the same order.
    await page.goto(`${host().url}/orders?app=${app.appId}`);
    await page.getByRole("link", { name: bizNo, exact: true }).click();
    const heading = page.getByRole("heading", { level: 1 });
    await expect.poll(() => heading.textContent()).toContain(`· ${bizNo}`);
    expect(new URL(page.url()).pathname).toBe(
      `${host().mountPath}/orders/${writePathSegment(app.appId)}/${writePathSegment(bizNo)}`,
    );
    await page.reload();
    await expect.poll(() => heading.textContent()).toContain(`· ${bizNo}`);
  }
});

it("the page acts on an order with the number ..", async () => {
  const app = await openApp(host(), "Dots");
  await app.order({ bizNo: ".." });
  const page = await open(`/orders/${app.appId}/~2E~2E`, { role: "support" });
  await page.getByRole("button", { name: "Sync" }).click();
  await page.getByLabel("Reason").fill("the customer calls");
  await page.getByRole("dialog").getByRole("button", { name: "Sync" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const entries = await expectOk(host().ports.auditLog.search({ action: "order.sync", limit: 1 }));
  expect(entries.items).toMatchObject([{ subject: `order:${app.appId}/..`, outcome: "done" }]);
});

it("the page shows control and bidirectional characters of texts from outside as \\uXXXX, in every view", async () => {
  const app = await openApp(host(), "Bidi \u202e.gpj");
  const texts = {
    goodsTitle: "paid \u202e00.001 \u2066x\u2069",
    attachData: "\u202eabc\u200bd\u0085",
    customerName: "Li\u200f",
  };
  await app.order({ bizNo: "bidi-1", customerIdentity: "user\u202e1", ...texts });
  const page = await open("/today", { role: "admin" });
  const views = [
    `/orders/${app.appId}/bidi-1`,
    `/orders?app=${app.appId}`,
    "/search?q=bidi-1",
    "/search?q=\u202ebidi",
    "/setup",
    "/audit",
    "/refunds",
    "/bills",
    "/reports",
    "/downloads",
    "/today",
  ];
  for (const path of views) {
    await page.goto(`${host().url}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.locator("main:not(:has([aria-busy=true]))").waitFor();
    const shown = `${await page.title()}\n${await page.locator("body").innerText()}`;
    expect(shown).not.toMatch(/[\u0085\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  }
  await page.goto(`${host().url}/orders/${app.appId}/bidi-1`);
  await page.getByText("paid \\u202e00.001 \\u2066x\\u2069").first().waitFor();
  await page.getByText("Attached data").click();
  expect(await page.locator("pre").textContent()).toBe("\\u202eabc\\u200bd\\u0085");
});
