import { expectOk } from "@tillkit/contract-tests";
import { eventWith } from "@tillkit/core/ports";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openApp } from "../testing/demo-shop.js";
import { holdRequests } from "../testing/hold-requests.js";
import { fillRefund } from "../testing/refund-steps.js";
import { testPages } from "../testing/test-page.js";

const { host, open } = testPages();

/** A paid order, its address, and what the server knows about its refunds. */
async function aPaidOrder(bizNo: string, amount = 600) {
  const app = await openApp(host(), bizNo);
  await app.pay(await app.order({ bizNo, amount }));
  const key = { appId: app.appId, bizNo };
  return {
    app,
    key,
    path: `/orders/${app.appId}/${bizNo}`,
    refunds: () => expectOk(host().ports.refunds.list(key)),
    approvals: () => expectOk(host().ports.refundApprovals.listOfOrder(key)),
  };
}

/** Presses the button of a dialog that was opened before, after a reason. */
async function confirm(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("agreed on the phone");
  await dialog.getByRole("button", { name: button }).click();
}

/** Waits until the page has drawn what it has received. */
async function drawn(page: Page): Promise<void> {
  for (let frame = 0; frame < 5; frame += 1)
    await page.evaluate("new Promise((done) => requestAnimationFrame(done))");
}

describe("the back button of the browser", () => {
  /** Two orders that the page has stored, with a dialog open at the second one. */
  async function twoOrders(name: string, paid: boolean) {
    const app = await openApp(host(), name);
    for (const nth of ["first", "second"]) {
      const order = await app.order({ bizNo: `${name}-${nth}` });
      if (paid) await app.pay(order);
    }
    const page = await open(`/orders/${app.appId}/${name}-first`, { role: "finance" });
    await page.getByRole("heading", { name: `${name}-first` }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type(`${name}-second`);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: `${name}-second` }).waitFor();
    return { app, page };
  }

  it("leaves no refund of one order over another order", async () => {
    const { app, page } = await twoOrders("back", true);
    await fillRefund(page, "6.00");
    await page.goBack();
    await page.waitForURL(`**/${app.appId}/back-first`);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // The next dialog begins with the amount.
    await page.getByRole("button", { name: "Refund…" }).click();
    expect(await page.getByLabel("Amount in yuan").inputValue()).toBe("6.00");
    for (const bizNo of ["back-first", "back-second"])
      expect(await expectOk(host().ports.refunds.list({ appId: app.appId, bizNo }))).toEqual([]);
  });

  it("leaves no close of one order over another order", async () => {
    const { app, page } = await twoOrders("shut", false);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByLabel("Reason").fill("agreed on the phone");
    await page.goBack();
    await page.waitForURL(`**/${app.appId}/shut-first`);
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("leaves the view only after the answer to a change", async () => {
    const { app, key, path } = await aPaidOrder("busy-back");
    const page = await open("/orders", { role: "finance" });
    await page.getByRole("link", { name: "busy-back" }).click();
    await fillRefund(page, "6.00");
    const held = await holdRequests(page, "**/refunds");
    await page.getByRole("button", { name: "Refund now" }).click();
    await held.asked();
    await page.evaluate("history.back()");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The change has been sent.").waitFor();
    // The refusal of another change of the same order stays on the screen.
    await app.refund("busy-back", "r-1", 600, "li");
    held.release();
    await dialog.getByRole("alert").first().waitFor();
    expect(new URL(page.url()).pathname).toContain(path);
    expect(await expectOk(host().ports.refunds.list(key))).toMatchObject([{ refundNo: "r-1" }]);
  });
});

describe("a refusal stays in its dialog", () => {
  it("if another operator has decided the refund meanwhile, in the list", async () => {
    const { app, approvals } = await aPaidOrder("both-list", 60_000);
    await app.askForRefund("both-list", "op-a", 15_000, "li");
    const late = await open(`/refunds?app=${app.appId}`, { role: "finance" });
    await late.getByRole("button", { name: "Reject" }).click();
    const other = await open(`/refunds?app=${app.appId}`, { role: "finance" });
    await other.getByRole("button", { name: "Approve" }).click();
    await other.getByText("Remaining after the refund").waitFor();
    await confirm(other, "Approve");
    await other.getByRole("dialog").waitFor({ state: "detached" });
    const loaded = late.waitForResponse(/\/refund-approvals\?/);
    await confirm(late, "Reject");
    // The list without the refund has arrived.
    await (await loaded).finished();
    await late.getByRole("dialog").getByRole("alert").waitFor();
    await drawn(late);
    expect(await late.getByRole("dialog").getByRole("alert").innerText()).toMatch(/decided|approved/);
    expect((await approvals()).map(({ state }) => state)).toEqual(["APPROVED"]);
    await late.getByRole("button", { name: "Cancel" }).click();
    await late.getByText("No refund waits for approval.").waitFor();
  });

  it("if the customer has paid meanwhile, on the page of the order", async () => {
    const app = await openApp(host(), "paid-meanwhile");
    const order = await app.order({ bizNo: "paid-meanwhile" });
    const page = await open(`/orders/${app.appId}/paid-meanwhile`, { role: "finance" });
    await page.getByRole("button", { name: "Close" }).click();
    await app.pay(order);
    const loaded = page.waitForResponse(/\/paid-meanwhile$/);
    await confirm(page, "Close");
    await page.getByRole("dialog").getByRole("alert").waitFor();
    // A later request for the order may cancel the first one, which then never finishes.
    await loaded;
    await drawn(page);
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Paid", { exact: true }).first().waitFor();
  });
});

it("an acknowledgement leaves open the alarms that appeared after its dialog", async () => {
  const { app, key, path } = await aPaidOrder("alarms");
  const alarm = async (evidence: string) => {
    const order = await expectOk(host().ports.orders.find(key));
    if (order === undefined) throw new Error("the order is gone");
    const facts = { kind: "PAYMENT_AMOUNT", day: "2026-11-22", amountThere: 500, amountHere: 600 } as const;
    const event = eventWith("BILL_DIFFERENCE", facts);
    const at = host().ports.clock.now();
    await expectOk(
      host().ports.orders.record(order, { ...event, at, actor: "reconciler", evidence, alarm: true }),
    );
  };
  await alarm("1");
  const page = await open(path, { role: "finance" });
  await page.getByRole("button", { name: "Acknowledge" }).click();
  await alarm("2");
  // The page loads the order again.
  const loaded = page.waitForResponse(/\/alarms$/);
  await app.refund("alarms", "r-1", 100, "li");
  await (await loaded).finished();
  await drawn(page);
  await confirm(page, "Acknowledge");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByText("¥1.00 refunded").waitFor();
  await page.getByRole("heading", { name: "Open alarms: 1" }).waitFor();
});

it("a check after a refusal begins with the amount that was confirmed", async () => {
  const { app, path } = await aPaidOrder("again", 60_000);
  const page = await open(path, { role: "finance" });
  await fillRefund(page, "150.00", "150");
  await app.askForRefund("again", "op-a", 15_000, "li");
  const held = await holdRequests(page, "**/dry-run");
  await page.getByRole("button", { name: "Request approval" }).click();
  await held.asked();
  expect(await page.getByLabel("Amount in yuan").inputValue()).toBe("150");
  // A second press of Enter.
  await page.keyboard.press("Enter");
  held.release();
  await page.getByLabel("Type 150.00 to confirm").waitFor();
});

it("a key that is pressed again before the outcome is on the screen makes no second change", async () => {
  const page = await open("/setup?tab=apps", { role: "admin" });
  await page.getByRole("button", { name: "New app" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Once");
  await dialog.getByLabel("Reason").fill("a new shop");
  // Presses as soon as the button works again, before the page shows the outcome.
  await page.evaluate(`{
    const form = document.querySelector("[role=dialog] form");
    let wasPending = false;
    new MutationObserver(() => {
      const isPending = form.querySelector("[data-pending]") !== null;
      if (wasPending && !isPending) form.requestSubmit();
      wasPending = isPending;
    }).observe(form, { subtree: true, attributes: true });
  }`);
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("dialog", { name: "The new secret" }).waitFor();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("row", { name: "Once" }).first().waitFor();
  const apps = await expectOk(host().ports.apps.list());
  expect(apps.filter(({ name }) => name === "Once")).toHaveLength(1);
});

it("an Enter key that is held approves nothing that the operator has not seen", async () => {
  const { app, refunds, approvals } = await aPaidOrder("held-enter", 60_000);
  await app.askForRefund("held-enter", "op-a", 15_000, "li");
  const page = await open(`/refunds?app=${app.appId}`, { role: "finance" });
  await page.getByRole("button", { name: "Approve" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Remaining after the refund").waitFor();
  await app.askForRefund("held-enter", "op-b", 12_000, "wu");
  await dialog.getByLabel("Reason").fill("agreed on the phone");
  // Each press repeats the key, until the page shows the other request.
  const shown = dialog.getByText("A refund of ¥120.00 waits for approval");
  await page.keyboard.down("Enter");
  await expect
    .poll(async () => {
      await page.keyboard.down("Enter");
      return (await shown.count()) > 0 || (await dialog.count()) === 0;
    })
    .toBe(true);
  await drawn(page);
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await drawn(page);
  expect(await refunds()).toEqual([]);
  expect((await approvals()).map(({ state }) => state)).toEqual(["WAITING", "WAITING"]);
  // The operator confirms again, with everything on the screen.
  expect(await dialog.getByLabel("Reason").inputValue()).toBe("");
  await confirm(page, "Approve");
  await dialog.waitFor({ state: "detached" });
  expect(await refunds()).toMatchObject([{ refundNo: "op-a", amount: 15_000 }]);
});
