import { aFoundException, anEntry, aRefund, expectOk } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { openApp } from "./testing/demo-shop.js";
import { testPages } from "./testing/test-page.js";

const { host, open } = testPages();

/** Opens the page of a paid order of 12.05 yuan with a refund of one yuan that was never sent. */
async function aRefundWithoutSend(bizNo: string) {
  const app = await openApp(host(), bizNo);
  const order = await app.order({ bizNo, amount: 1_205 });
  await app.pay(order);
  const { appId } = app;
  const { refunds, clock } = host().ports;
  const at = clock.now();
  const refund = aRefund({ appId, bizNo, refundNo: "r-1", amount: 100, gmtCreate: at, gmtModified: at });
  const { to: _created, ...requested } = anEntry({
    type: "REFUND_REQUESTED",
    at,
    refundNo: "r-1",
    details: JSON.stringify({ amount: 100 }),
  });
  await expectOk(refunds.request({ ...refund, nextTryAt: at + 60_000 }, requested));
  const page = await open(`/orders/${appId}/${bizNo}`, { role: "finance" });
  const statusOf = async () => (await expectOk(refunds.list({ appId, bizNo }))).map(({ status }) => status);
  return { page, appId, bizNo, outTradeNo: order.id, statusOf };
}

it("the page withdraws a refund that the wallet does not have, after it says what will happen", async () => {
  const { page, statusOf } = await aRefundWithoutSend("withdraw-1");
  await page.getByText("Continues by itself at").waitFor();
  await page.getByRole("button", { name: "Withdraw", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("The number of this refund is never sent again", { exact: false }).waitFor();
  await dialog.getByLabel("Reason").fill("keeps the goods");
  await dialog.getByRole("button", { name: "Withdraw", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await statusOf()).toEqual(["WITHDRAWN"]);
});

it("the page settles a refund with the way in which the customer was paid, and evidence", async () => {
  const { page, appId, bizNo, statusOf } = await aRefundWithoutSend("settle-1");
  await page.getByRole("button", { name: "Pay in another way" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("How the customer is paid").fill("in cash");
  await dialog.getByLabel("Evidence").fill("voucher 881");
  await dialog.getByRole("button", { name: "Pay in another way" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await statusOf()).toEqual(["SETTLED"]);
  const events = await expectOk(host().ports.orders.timeline({ appId, bizNo }));
  expect(events.at(-1)).toMatchObject({
    type: "REFUND_SETTLED",
    reason: "in cash; voucher 881",
    details: JSON.stringify({ amount: 100 }),
  });
});

it("the page records a refund that was made in the wallet's console, by its number", async () => {
  const { page, outTradeNo, appId, bizNo, statusOf } = await aRefundWithoutSend("adopt-1");
  const { payTools, wallets } = host().ports;
  const account = await expectOk(payTools.current(appId, "WALLET_A"));
  if (account === undefined) throw new Error("There is no pay tool.");
  const request = { outTradeNo, refundNo: "5030", amount: 205, orderAmount: 1_205 };
  const limits = { deadline: 1_000 };
  await expectOk(wallets.WALLET_A.refund(account, { ...request, reason: "", notifyUrl: "" }, limits));
  await page.getByRole("button", { name: "Record a refund of the console" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Number of the refund at the channel").fill(" 5030 ");
  await dialog.getByLabel("Reason").fill("seen in the console");
  await dialog.getByRole("button", { name: "Record a refund of the console" }).click();
  await page.getByText("console:5030").first().waitFor();
  expect((await statusOf()).toSorted()).toEqual(["CONFIRMED", "REQUESTED"]);
  expect(await expectOk(host().ports.orders.find({ appId, bizNo }))).toMatchObject({ refundedAmount: 205 });
});

it("the page offers for each exception the remedies that the API names, and assigns a payment to its order", async () => {
  const app = await openApp(host(), "Assign");
  const day = "2026-03-04";
  const at = host().ports.clock.now();
  const found = { day, at, asOf: at, accountId: "remedies" };
  const payment = aFoundException({ ...found, outTradeNo: "shop-881", amountThere: 600 });
  const foreign = aFoundException({ ...found, outTradeNo: "shop-882", at: at - 1 });
  const whole = aFoundException({ ...found, kind: "BALANCE", outTradeNo: "", at: at - 2 });
  await expectOk(host().ports.billExceptions.report([payment, foreign, whole]));
  const page = await open(`/bills?view=exceptions&day=${day}`, { role: "finance" });
  const buttonsOf = async (id: string) =>
    page.locator(`[data-card="${id}"]`).locator(".remedies").getByRole("button").allInnerTexts();
  await page.locator(`[data-card="${whole.id}"]`).waitFor();
  expect(await buttonsOf(payment.id)).toEqual(["Belongs to an order", "Not ours", "Resolve"]);
  expect(await buttonsOf(whole.id)).toEqual(["Resolve"]);
  const card = page.locator(`[data-card="${payment.id}"]`);
  await card.getByRole("button", { name: "Belongs to an order" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Order number").fill("assign-1");
  await dialog.getByLabel("Note").fill("paid at the till");
  // The app that the list shows is the one that is asked. No app has the order yet.
  const answered = page.waitForResponse((response) => response.url().endsWith("/assign"));
  const shown = await dialog.getByLabel("App").inputValue();
  await dialog.getByRole("button", { name: "Belongs to an order" }).click();
  expect((await answered).request().postDataJSON()).toMatchObject({ appId: shown });
  await app.order({ bizNo: "assign-1", amount: 600 });
  await dialog.getByLabel("App").selectOption(app.appId);
  await dialog.getByRole("button", { name: "Belongs to an order" }).click();
  await card.waitFor({ state: "detached" });
  await page.locator(`[data-card="${foreign.id}"]`).getByRole("button", { name: "Not ours" }).click();
  await dialog.getByLabel("Note").fill("of the other shop");
  await dialog.getByRole("button", { name: "Not ours" }).click();
  await page.locator(`[data-card="${foreign.id}"]`).waitFor({ state: "detached" });
  const stored = await expectOk(host().ports.billExceptions.find(payment.id));
  expect(stored).toMatchObject({ remedy: "assign", order: { appId: app.appId, bizNo: "assign-1" } });
  expect(await expectOk(host().ports.billExceptions.find(foreign.id))).toMatchObject({ remedy: "not-ours" });
});
