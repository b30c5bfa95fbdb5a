import type { Page } from "playwright-core";

/** Fills in the refund of the order that the page shows. Without an amount, the whole rest. */
export async function fillRefund(page: Page, confirm: string, amount?: string): Promise<void> {
  await page.getByRole("button", { name: "Refund…" }).click();
  if (amount !== undefined) await page.getByLabel("Amount in yuan").fill(amount);
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByLabel("Reason").fill("broken on arrival");
  await page.getByLabel(`Type ${confirm} to confirm`).fill(confirm);
}
