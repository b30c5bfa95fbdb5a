import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openApp } from "./testing/demo-shop.js";
import { testPages } from "./testing/test-page.js";

const { host, open } = testPages();

const sentRefund = z.object({ refundNo: z.string(), amount: z.int(), reason: z.string() });

/** Opens the refund of an order of 12.05 yuan, over a wallet that answers `outcome`. */
async function aRefund(bizNo: string, outcome: string) {
  const app = await openApp(host(), "Refunds");
  await app.pay(await app.order({ bizNo, amount: 1_205 }));
  const page = await open(`/orders/${app.appId}/${bizNo}`, { role: "finance" });
  const sent: z.output<typeof sentRefund>[] = [];
  await page.route("**/refunds/dry-run", (route) =>
    route.fulfill({
      json: {
        amount: 500,
        remaining: 1_205,
        remainingAfter: 705,
        needsApproval: false,
        activity: { seen: 2, approvals: [], refunds: [], alarms: [], exceptions: [] },
        walletRequest: { wallet: "WALLET_A", operation: "POST /v3/refund", body: '{"refund":500}' },
      },
    }),
  );
  await page.route("**/refunds", (route) => {
    sent.push(sentRefund.parse(route.request().postDataJSON()));
    return route.fulfill({ json: { outcome } });
  });
  await page.getByRole("button", { name: "Refund…" }).click();
  return { page, sent };
}

async function check(page: Page, amount: string): Promise<void> {
  await page.getByLabel("Amount in yuan").fill(amount);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("¥5.00", { exact: true }).waitFor();
}

describe("the refund of an order", () => {
  it("is sent only after the amount has been typed, once for one dialog", async () => {
    const { page, sent } = await aRefund("refund-1", "accepted");
    await check(page, "5");
    await page.getByText("¥7.05", { exact: true }).waitFor();
    const button = page.getByRole("button", { name: "Refund now" });
    await page.getByLabel("Reason").fill("broken");
    expect(await button.isDisabled()).toBe(true);
    await page.getByLabel("Type 5.00 to confirm").fill("50.0");
    expect(await button.isDisabled()).toBe(true);
    await page.getByLabel("Type 5.00 to confirm").fill("5.00");
    await button.click();
    await page.getByText("The payment channel has accepted the refund").waitFor();
    expect(sent).toMatchObject([{ amount: 500, reason: "broken" }]);
    expect(sent[0]?.refundNo).toMatch(/^op-[0-9a-f]{24}$/);
  });

  it("says that an unknown outcome is unknown", async () => {
    const { page } = await aRefund("refund-2", "unknown");
    await check(page, "5.00");
    await page.getByLabel("Reason").fill("broken");
    await page.getByLabel("Type 5.00 to confirm").fill("5.00");
    await page.getByRole("button", { name: "Refund now" }).click();
    await page.getByText("it is not known whether ¥5.00 is refunded").waitFor();
  });

  it("accepts no text that is not an amount", async () => {
    const { page } = await aRefund("refund-3", "accepted");
    for (const typed of ["1.234", "1e2", "-5", "abc"]) {
      await page.getByLabel("Amount in yuan").fill(typed);
      await page.getByText("Enter an amount such as 12.50.").waitFor();
    }
  });
});
