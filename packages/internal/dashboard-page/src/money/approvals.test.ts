import { aFoundException, expectOk } from "@tillkit/contract-tests";
import { type Order, type OrderKey, orThrow, parseInput, refundOrder, refundOrderInput } from "@tillkit/core";
import { approveRefund, decideRefundInput } from "@tillkit/core/operators";
import { eventWith } from "@tillkit/core/ports";
import { expect, it } from "vitest";
import { openApp } from "../testing/demo-shop.js";
import type { Host } from "../testing/open-host.js";
import { fillRefund } from "../testing/refund-steps.js";
import { signIn } from "../testing/sign-in.js";
import { describeEverywhere } from "../testing/test-page.js";

async function aPaidOrder(host: Host, bizNo: string, amount = 60_000) {
  const app = await openApp(host, bizNo);
  await app.pay(await app.order({ bizNo, amount }));
  const key = { appId: app.appId, bizNo };
  const approvals = () => expectOk(host.ports.refundApprovals.listOfOrder(key));
  const refunds = () => expectOk(host.ports.refunds.list(key));
  return { app, approvals, refunds, path: `/orders/${app.appId}/${bizNo}` };
}

describeEverywhere("a request for approval", {}, ({ host, open }) => {
  it("is shown on its order, and a second request asks again with both amounts", async () => {
    const { app, approvals, path } = await aPaidOrder(host(), "invisible-1");
    await app.askForRefund("invisible-1", "op-a", 15_000, "li", "one of four was broken");
    const page = await open(path, { role: "finance" });
    const requests = page.getByRole("region", { name: "Requests for approval" });
    await requests.getByText("Waiting for approval").waitFor();
    await requests.getByText("¥150.00").waitFor();
    await requests.getByText("li: one of four was broken").waitFor();
    await fillRefund(page, "150.00", "150");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("A refund of ¥150.00 waits for approval").waitFor();
    await dialog.getByText("With your refund of ¥150.00, the customer gets ¥300.00 in total.").waitFor();
    // Going back changes nothing.
    await dialog.getByRole("button", { name: "Change the amount" }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await approvals()).toHaveLength(1);
    await fillRefund(page, "150.00", "150");
    await dialog.getByText("the customer gets ¥300.00 in total.").waitFor();
    await page.getByRole("button", { name: "Request approval" }).click();
    await dialog.getByText(/refund of ¥[\d.]+ waits for the approval of a second operator\./).waitFor();
    expect(await approvals()).toHaveLength(2);
  });

  it("that appears while another operator confirms is shown to this operator, who must confirm again", async () => {
    const { app, approvals, path } = await aPaidOrder(host(), "invisible-2");
    const page = await open(path, { role: "finance" });
    await fillRefund(page, "150.00", "150");
    await app.askForRefund("invisible-2", "op-a", 15_000, "li", "one of four was broken");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Request approval" }).click();
    await dialog.getByText("With your refund of ¥150.00, the customer gets ¥300.00 in total.").waitFor();
    expect(await approvals()).toHaveLength(1);
    // The amount must be typed again.
    expect(await dialog.getByLabel("Type 150.00 to confirm").inputValue()).toBe("");
    await dialog.getByLabel("Reason").fill("another one broke");
    await dialog.getByLabel("Type 150.00 to confirm").fill("150.00");
    await dialog.getByRole("button", { name: "Request approval" }).click();
    await dialog.getByText(/refund of ¥[\d.]+ waits for the approval of a second operator\./).waitFor();
    expect(await approvals()).toHaveLength(2);
  });

  it("shows the operator who approves everything else that is open", async () => {
    const { app, refunds } = await aPaidOrder(host(), "invisible-3");
    for (const name of ["op-a", "op-b"])
      await app.askForRefund("invisible-3", name, 15_000, `li-${name}`, "broken");
    const page = await open(`/refunds?app=${app.appId}`, { role: "finance" });
    await page.getByRole("button", { name: "Approve" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("With your refund of ¥150.00, the customer gets ¥300.00 in total.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await refunds()).toEqual([]);
  });
});

describeEverywhere("a waiting request", {}, ({ host, open }) => {
  it("is decided on the page of its order, after what others have started is shown", async () => {
    const { app, approvals, refunds, path } = await aPaidOrder(host(), "decided-1");
    await app.askForRefund("decided-1", "op-a", 15_000, "li", "one of four was broken");
    await app.askForRefund("decided-1", "op-b", 12_000, "wu", "delivered late");
    const page = await open(path, { role: "finance" });
    const requests = page.getByRole("region", { name: "Requests for approval" });
    const first = requests.getByRole("listitem").filter({ hasText: "¥150.00" });
    await first.getByRole("button", { name: "Approve" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("With your refund of ¥150.00, the customer gets ¥270.00 in total.").waitFor();
    // What is decided, who asks and why, and what remains of the order.
    const facts = await dialog.locator("dl").innerText();
    expect(facts).toContain("decided-1");
    expect(facts).toMatch(/Requested by\s+li/);
    expect(facts).toMatch(/Reason of the request\s+one of four was broken/);
    expect(facts).toMatch(/Refund amount\s+¥150\.00/);
    expect(facts).toMatch(/Remaining after the refund\s+¥/);
    await dialog.getByLabel("Reason").fill("checked with the shop");
    await dialog.getByRole("button", { name: "Approve" }).click();
    await dialog.waitFor({ state: "detached" });
    await first.getByText("Approved", { exact: true }).waitFor();
    expect(await first.getByRole("button").count()).toBe(0);
    expect(await refunds()).toMatchObject([{ refundNo: "op-a", amount: 15_000 }]);
    const second = requests.getByRole("listitem").filter({ hasText: "¥120.00" });
    await second.getByRole("button", { name: "Reject" }).click();
    await dialog.getByLabel("Reason").fill("paid already");
    await dialog.getByRole("button", { name: "Reject" }).click();
    await second.getByText("Rejected", { exact: true }).waitFor();
    expect((await approvals()).map(({ state }) => state).toSorted()).toEqual(["APPROVED", "REJECTED"]);
    // The list of refunds is narrowed to the order.
    await page.getByRole("link", { name: "In the list of refunds" }).click();
    await page.getByRole("row", { name: /decided-1/ }).waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
  });

  it("cannot be decided by its requester on the page of the order either", async () => {
    const { app, path } = await aPaidOrder(host(), "decided-2");
    const page = await open("/account", { role: "finance" });
    const name = await page.getByRole("banner").getByRole("link").last().innerText();
    await app.askForRefund("decided-2", "op-a", 15_000, name, "bought twice");
    await page.goto(`${host().url}${path}`);
    await page.getByText("You requested this refund, so another operator must decide.").waitFor();
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  });
});

describeEverywhere("an open bill exception", {}, ({ host, open }) => {
  it("is shown before a refund, and stops the refund if it appears meanwhile", async () => {
    const { app, refunds, path } = await aPaidOrder(host(), "differs-1");
    const order = await expectOk(host().ports.orders.find({ appId: app.appId, bizNo: "differs-1" }));
    if (order === undefined) throw new Error("the order is gone");
    const page = await open(path, { role: "finance" });
    await fillRefund(page, "150.00", "150");
    const found = aFoundException({
      kind: "PAYMENT_AMOUNT",
      outTradeNo: order.id,
      order: { appId: app.appId, bizNo: "differs-1" },
      day: "2026-11-22",
      amountThere: 50_000,
      amountHere: 60_000,
    });
    await expectOk(host().ports.billExceptions.report([found]));
    const { kind, day, amountThere } = found;
    const event = eventWith("BILL_DIFFERENCE", { kind, day, amountThere, amountHere: 60_000 });
    const entry = { ...event, at: found.at, actor: "reconciler", evidence: found.id, alarm: false };
    await expectOk(host().ports.orders.record(order, entry));
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Request approval" }).click();
    await dialog
      .getByText("Open bill exception of 2026-11-22: The amounts of a payment differ (bill: ¥500.00")
      .waitFor();
    expect(await dialog.getByLabel("Type 150.00 to confirm").inputValue()).toBe("");
    expect(await refunds()).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Differs from WeChat Pay's bill of 2026-11-22: the bill has ¥500.00").waitFor();
  });
});

describeEverywhere("an approved refund that cannot be made", {}, ({ host, open }) => {
  it("is an alarm on its order, an entry of the timeline, and a row on Today", async () => {
    const { app, approvals, path } = await aPaidOrder(host(), "not-made-1");
    await app.askForRefund("not-made-1", "op-a", 60_000, "li", "bought twice");
    await approveWhileAnotherTakesTheMoney(host(), app.appId, "not-made-1", (await approvals())[0]?.id);
    expect(await approvals()).toMatchObject([{ state: "APPROVED", failure: "refund.exceeds-remaining" }]);
    const page = await open(path, { role: "finance" });
    await page.getByRole("heading", { name: "Open alarms: 1" }).waitFor();
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByText("Refund of ¥600.00, approved by han, cannot be made").waitFor();
    await page
      .getByRole("region", { name: "Requests for approval" })
      .getByText("Approved, not made")
      .waitFor();
    await page.goto(`${host().url}/today?app=${app.appId}`);
    await page.getByRole("link", { name: /Approved refunds that could not be made/ }).click();
    await page.waitForURL(/tab=decided&notMade=true/);
    await page.getByRole("article").getByText("Approved, not made").waitFor();
    await page.getByRole("link", { name: "not-made-1" }).first().click();
    // Once acknowledged, it needs no person. The decided requests still contain it.
    await page.getByRole("button", { name: "Acknowledge alarm" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("the customer has the money");
    await dialog.getByRole("button", { name: "Acknowledge alarm" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.goto(`${host().url}/refunds?tab=decided&notMade=true&app=${app.appId}`);
    await page.getByText("Every approved refund was made, or its alarm is acknowledged.").waitFor();
    await page.goto(`${host().url}/refunds?tab=decided&app=${app.appId}`);
    await page.getByRole("article").getByText("Approved, not made").waitFor();
  });
});

/** Approves a request. A program of the shop refunds between the check and the refund. */
async function approveWhileAnotherTakesTheMoney(host: Host, appId: string, bizNo: string, id = "") {
  const { refunds } = host.ports;
  let isFirst = true;
  const other = { bizNo, refundNo: "program-1", amount: 10_000, reason: "voucher", operator: "program" };
  const ports = {
    ...host.ports,
    refunds: {
      ...refunds,
      request: (...asked: Parameters<typeof refunds.request>) => {
        if (!isFirst) return refunds.request(...asked);
        isFirst = false;
        const input = orThrow(parseInput(refundOrderInput(host.ports.policy), other));
        return refundOrder(host.ports, appId, input)
          .mapErr(() => ({ name: "storage.unavailable", cause: undefined }) as const)
          .andThen(() => refunds.request(...asked));
      },
    },
  };
  const input = orThrow(parseInput(decideRefundInput(), { id, reason: "checked" }));
  const han = { name: "han", role: "finance" } as const;
  const approved = await approveRefund(ports, han, input, { from: "192.0.2.1", traceId: "" });
  expect(approved.isErr()).toBe(true);
}

describeEverywhere("two accounts of one person", {}, ({ host, profile }) => {
  it("do not approve each other's requests, and the page says until when", async () => {
    const { app, approvals, refunds } = await aPaidOrder(host(), "one-person-1");
    await host().create("han", "admin");
    await host().create("han-2", "finance", undefined, "han");
    await app.askForRefund("one-person-1", "op-a", 15_000, "han", "bought twice");
    const context = await profile();
    await signIn(host(), context, "han-2");
    const page = await context.newPage();
    await page.goto(`${host().url}/refunds?app=${app.appId}`);
    await page.getByRole("button", { name: "Approve" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("checked");
    await dialog.getByRole("button", { name: "Approve" }).click();
    await dialog.getByText("could belong to one person").waitFor();
    // Seven days after the account was created.
    await dialog.getByText("2026-11-30T14:05:00+08:00").waitFor();
    expect(await approvals()).toMatchObject([{ state: "WAITING" }]);
    expect(await refunds()).toEqual([]);
    await context.close();
  });
});

describeEverywhere("an order whose row was changed in the database", {}, ({ host, open }) => {
  /** Changes the row of an order directly in the database, or what memory returns. */
  async function damage(appId: string, bizNo: string, set: "payment_status = 'PAID'" | "amount_cents = 1") {
    const { ports, sql, schema } = host();
    if (sql !== undefined) {
      const text = `update ${schema}.orders set ${set} where app_id = $1 and biz_no = $2`;
      await sql.query({ name: `damage_${set.slice(0, 6)}`, text }, [appId, bizNo]);
      return;
    }
    const changed = set.startsWith("amount") ? { amount: 1 } : ({ paymentStatus: "PAID" } as const);
    const damaged = (order: Order) => (order.bizNo === bizNo ? { ...order, ...changed } : order);
    const [orders, refunds] = [{ ...ports.orders }, { ...ports.refunds }];
    const approvals = { ...ports.refundApprovals };
    Object.assign(ports.orders, {
      find: (key: OrderKey) => orders.find(key).map((order) => order && damaged(order)),
    });
    Object.assign(ports.refunds, {
      readRecord: (key: OrderKey) =>
        refunds.readRecord(key).map((record) => record && { ...record, order: damaged(record.order) }),
    });
    Object.assign(ports.refundApprovals, {
      readRefundFacts: (key: OrderKey, most: number) =>
        approvals
          .readRefundFacts(key, most)
          .map((facts) => facts && { ...facts, order: damaged(facts.order) }),
    });
  }

  it("is shown as damaged with what differs, and is not refunded", async () => {
    const app = await openApp(host(), "Damaged");
    await app.order({ bizNo: "damaged-1" });
    await damage(app.appId, "damaged-1", "payment_status = 'PAID'");
    const page = await open(`/orders/${app.appId}/damaged-1`, { role: "finance" });
    const notice = page.getByRole("alert").filter({ hasText: "The stored data of this order is damaged" });
    await notice.getByText("the status is PAID, but the timeline proves PENDING").waitFor();
    await page.getByRole("button", { name: "Refund…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Check" }).click();
    await dialog.getByText("The stored order contradicts its timeline").waitFor();
    expect(await expectOk(host().ports.refunds.list({ appId: app.appId, bizNo: "damaged-1" }))).toEqual([]);
  });

  it("is not closed", async () => {
    const app = await openApp(host(), "Damaged");
    await app.order({ bizNo: "damaged-2" });
    await damage(app.appId, "damaged-2", "amount_cents = 1");
    const page = await open(`/orders/${app.appId}/damaged-2`, { role: "finance" });
    await page.getByText("the amount is ¥0.01, but the timeline proves ¥6.00").waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("cancelled");
    await dialog.getByRole("button", { name: "Close", exact: true }).click();
    await dialog.getByText("The stored order contradicts its timeline").waitFor();
    const timeline = await expectOk(host().ports.orders.timeline({ appId: app.appId, bizNo: "damaged-2" }));
    expect(timeline.map(({ type }) => type)).toEqual(["CREATED"]);
  });
});
