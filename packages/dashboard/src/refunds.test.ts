import { PAY_CHANNELS, policyWith } from "@tillkit/core";
import { outRefundNo } from "@tillkit/core/ports";
import { expectOk } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Browser, openDashboard, send } from "./testing/open-dashboard.js";
import { anAbnormalRefund, anApp, anOrder, aPaidOrder } from "./testing/paid-orders.js";

const UNKNOWN = { name: "wallet.unknown", cause: "timeout", detail: "no answer" } as const;
const page = z.object({
  items: z.array(z.object({ refundNo: z.string(), appId: z.string() })),
  older: z.string().optional(),
});
const waitingAnswer = z.object({ approval: z.object({ id: z.string() }) });

/** A shop with orders of 600 cents. By default, an operator may refund 300 of one order alone. */
async function aShop(policy: Parameters<typeof policyWith>[0] = { refundApprovalOver: 300 }) {
  const dashboard = openDashboard(memoryPorts({ policy: policyWith(policy) }));
  const { ports, create, signIn } = dashboard;
  const appId = await anApp(ports);
  const order = await aPaidOrder(ports, appId, "b-1");
  const enter = async (...[name, role, apps]: Parameters<typeof create>) => {
    await create(name, role, apps);
    return signIn(name);
  };
  const li = await enter("li", "support");
  const path = (action = "", bizNo = "b-1") => `/api/orders/${appId}/${bizNo}/refunds${action}`;
  /** Requests a refund after reading the order. */
  const refund = async (by: Browser, refundNo: string, amount: number, bizNo = "b-1") => {
    const seen = (await expectOk(ports.orders.timeline({ appId, bizNo }))).length;
    return by.post(path("", bizNo), { refundNo, amount, reason: "bought twice", seen });
  };
  /** Requests a refund that must wait, and returns the id of its approval. */
  const waiting = async (by: Browser, refundNo = "r-1", amount = 400) => {
    const { json } = await refund(by, refundNo, amount);
    expect(json).toMatchObject({ outcome: "waiting-for-approval" });
    return waitingAnswer.parse(json).approval.id;
  };
  const decide = (by: Browser, id: string, name: "approve" | "reject" = "approve") =>
    by.post(`/api/refund-approvals/${id}/${name}`, { reason: "checked" });
  const log = async () => {
    const events = await expectOk(ports.auditLog.read(0, 1_000));
    return events
      .filter(({ action }) => action.startsWith("refund."))
      .map(({ action, outcome, operator, subject }) => `${action} ${outcome} ${operator} ${subject}`);
  };
  const wallet = ports.wallets.WALLET_A;
  return { ...dashboard, appId, order, enter, li, path, refund, waiting, decide, log, wallet };
}

describe("a dry run", () => {
  it.each(PAY_CHANNELS)("shows the request to %s, and changes nothing", async (payChannel) => {
    const { ports, appId, li, path, log } = await aShop();
    const order = await aPaidOrder(ports, appId, "b-2", payChannel);
    const before = await expectOk(ports.orders.timeline(order));
    const asked = { refundNo: "r-1", amount: 250 };
    const { status, json } = await li.post(path("/dry-run", "b-2"), asked);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      amount: 250,
      remaining: 600,
      remainingAfter: 350,
      needsApproval: false,
      walletRequest: { wallet: payChannel, operation: "refund" },
    });
    expect(JSON.stringify(json)).toContain(outRefundNo(order, asked));
    expect((await li.post(path("/dry-run", "b-2"), { refundNo: "r-1" })).json).toMatchObject({
      amount: 600,
      remainingAfter: 0,
      needsApproval: true,
    });
    expect(await expectOk(ports.orders.timeline(order))).toEqual(before);
    expect(await log()).toEqual([]);
  });

  it("names what is wrong", async () => {
    const { li, path } = await aShop();
    const tooMuch = await li.post(path("/dry-run"), { refundNo: "r-1", amount: 601 });
    expect(tooMuch.json).toMatchObject({ error: { name: "refund.exceeds-remaining" } });
    const none = await li.post(path("/dry-run", "none"), { refundNo: "r-1" });
    expect(none).toMatchObject({ status: 404, json: { error: { name: "order.not-found" } } });
    const empty = await li.post(path("/dry-run"), {});
    expect(empty).toMatchObject({ status: 400, json: { error: { name: "parameter.missing" } } });
  });
});

describe("a refund", () => {
  it("is made if there is no limit, a part and then the rest", async () => {
    const { li, refund, wallet, log, appId } = await aShop({});
    const part = await refund(li, "r-1", 250);
    expect(part).toMatchObject({
      status: 200,
      json: {
        outcome: "refunded",
        refund: { refundNo: "r-1", amount: 250, status: "CONFIRMED", operator: "li" },
      },
    });
    expect(part.json).not.toHaveProperty("approval");
    expect(JSON.stringify(part.json["refund"])).toContain("Confirmed by the wallet");
    expect((await refund(li, "r-2", 350)).json).toMatchObject({ outcome: "refunded" });
    expect((await refund(li, "r-3", 1)).json).toMatchObject({ error: { name: "order.refunded" } });
    expect(wallet.balance()).toBe(0);
    const entry = (outcome: string) => `refund.request ${outcome} li order:${appId}/b-1`;
    expect(await log()).toEqual([entry("done"), entry("done"), entry("failed")]);
  });

  it("with the same number is made once, and with another amount refused", async () => {
    const { li, refund, wallet } = await aShop();
    const first = await refund(li, "r-1", 100);
    expect(await refund(li, "r-1", 100)).toMatchObject({ status: 200, json: first.json });
    const other = await refund(li, "r-1", 99);
    expect(other.json).toMatchObject({ error: { name: "refund-no.conflict" } });
    expect(wallet.balance()).toBe(500);
  });

  it("with an unknown outcome is shown as unknown, and later as refunded", async () => {
    const { li, refund, wallet } = await aShop();
    wallet.failNext("refund", UNKNOWN, "after");
    const first = await refund(li, "r-1", 100);
    expect(first).toMatchObject({ status: 200, json: { outcome: "unknown", refund: { status: "SENT" } } });
    expect(JSON.stringify(first.json)).toContain("the result is not known yet");
    expect((await refund(li, "r-1", 100)).json).toMatchObject({ outcome: "refunded" });
    expect(wallet.balance()).toBe(500);
  });

  it("that the wallet accepts without making it yet is accepted", async () => {
    const { li, refund, wallet } = await aShop();
    wallet.holdNextRefund();
    expect((await refund(li, "r-1", 100)).json).toMatchObject({
      outcome: "accepted",
      refund: { amount: 100 },
    });
  });

  it("needs an amount, a number and a reason that are valid", async () => {
    const { li, path, wallet } = await aShop();
    const whole = { refundNo: "r-1", amount: 100, reason: "bought twice" };
    for (const changes of [
      { amount: undefined },
      { amount: 0 },
      { amount: 1.5 },
      { amount: "100" },
      { reason: "" },
      { reason: "a\nb" },
      { reason: "x".repeat(81) },
      { refundNo: "a b" },
      { refundNo: undefined },
    ]) {
      const { status, json } = await li.post(path(), { ...whole, ...changes });
      expect(status).toBe(400);
      expect(JSON.stringify(json)).toMatch(/parameter\.(missing|invalid)/);
    }
    expect(wallet.balance()).toBe(600);
  });

  it("of an order that is not paid is refused", async () => {
    const { ports, appId, li, refund } = await aShop();
    await anOrder(ports, appId, "b-2");
    expect((await refund(li, "r-1", 100, "b-2")).json).toMatchObject({ error: { name: "order.not-paid" } });
  });
});

describe("the payout of an abnormal refund", () => {
  it("answers 409 if the same operator paid out to another card in another tab", async () => {
    const { ports, appId, enter, wallet } = await aShop();
    const han = await enter("han", "finance");
    await anAbnormalRefund(ports, await aPaidOrder(ports, appId, "b-2"), "r-1");
    const payOut = (bankAccount: string) =>
      han.post(`/api/orders/${appId}/b-2/refunds/r-1/pay-out`, {
        payTo: "customer",
        bankType: "CMB_DEBIT",
        bankAccount,
        realName: "Li Lei",
        reason: "card closed",
      });
    const answers = await Promise.all([payOut("6225880137395123"), payOut("6225880137395131")]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await payOut("6225880137395149")).status).toBe(409);
    // The wallet has accepted the payout, and has not made it yet.
    expect(wallet.balance()).toBe(1_200);
  });
});

describe("the limits of roles", () => {
  it("refuse a large refund by support, also in parts, and record it", async () => {
    const { li, refund, enter, wallet, log, appId } = await aShop({ supportRefundLimit: 200 });
    const refused = { status: 403, json: { error: { name: "refund.over-support-limit" } } };
    expect(await refund(li, "r-1", 201)).toMatchObject(refused);
    await refund(li, "r-2", 150);
    expect(await refund(li, "r-3", 51)).toMatchObject(refused);
    expect(wallet.balance()).toBe(450);
    const subject = `li order:${appId}/b-1`;
    expect(await log()).toEqual([
      `refund.request refused ${subject}`,
      `refund.request done ${subject}`,
      `refund.request refused ${subject}`,
    ]);
    const han = await enter("han", "finance");
    expect((await refund(han, "r-4", 450)).json).toMatchObject({ outcome: "refunded" });
  });

  it("let viewers request nothing, and support approve nothing", async () => {
    const { li, waiting, decide, refund, enter, wallet } = await aShop();
    const an = await enter("an", "viewer");
    const denied = { status: 403, json: { error: { name: "permission.denied" } } };
    expect(await refund(an, "r-1", 1)).toMatchObject(denied);
    const id = await waiting(li);
    const bo = await enter("bo", "support");
    for (const name of ["approve", "reject"] as const)
      expect(await decide(bo, id, name)).toMatchObject(denied);
    expect(wallet.balance()).toBe(600);
  });
});

describe("a refund above the limit", () => {
  it("waits, is listed, and is made when another operator approves it", async () => {
    const { li, waiting, decide, enter, wallet, log, appId } = await aShop();
    const id = await waiting(li);
    expect(wallet.balance()).toBe(600);
    const han = await enter("han", "finance");
    const row = {
      id,
      appId,
      bizNo: "b-1",
      refundNo: "r-1",
      amount: 400,
      requestedBy: "li",
      state: "WAITING",
    };
    expect((await li.get("/api/refund-approvals", "state=WAITING")).json).toMatchObject({
      items: [{ ...row, mine: true }],
    });
    expect((await han.get("/api/refund-approvals")).json).toMatchObject({ items: [{ ...row, mine: false }] });
    const approved = await decide(han, id);
    expect(approved).toMatchObject({
      status: 200,
      json: {
        approval: { ...row, state: "APPROVED", decidedBy: "han", note: "checked", mine: false },
        outcome: "refunded",
        refund: { refundNo: "r-1", operator: "li", status: "CONFIRMED" },
      },
    });
    expect(wallet.balance()).toBe(200);
    expect((await han.get("/api/refund-approvals")).json).toMatchObject({ items: [] });
    expect((await han.get("/api/refund-approvals", "state=APPROVED")).json).toMatchObject({
      items: [{ id }],
    });
    const subject = `order:${appId}/b-1`;
    expect(await log()).toEqual([`refund.request done li ${subject}`, `refund.approve done han ${subject}`]);
  });

  it("is not made twice by a second approval, nor by a repeated request", async () => {
    const { li, waiting, decide, refund, enter, wallet } = await aShop();
    const id = await waiting(li);
    const [han, an] = [await enter("han", "finance"), await enter("an", "admin")];
    await decide(han, id);
    expect((await decide(an, id)).json).toMatchObject({
      outcome: "refunded",
      approval: { decidedBy: "han" },
    });
    expect((await refund(li, "r-1", 400)).json).toMatchObject({ outcome: "refunded" });
    expect(wallet.balance()).toBe(200);
  });

  it("cannot be approved or rejected by the operator who requested it, which is recorded", async () => {
    const { waiting, decide, enter, wallet, log, appId } = await aShop();
    const han = await enter("han", "finance");
    const id = await waiting(han);
    const own = { status: 403, json: { error: { name: "refund-approval.own" } } };
    expect(await decide(han, id)).toMatchObject(own);
    expect(await decide(han, id, "reject")).toMatchObject(own);
    expect(wallet.balance()).toBe(600);
    const subject = `han order:${appId}/b-1`;
    expect((await log()).slice(1)).toEqual([
      `refund.approve refused ${subject}`,
      `refund.reject refused ${subject}`,
    ]);
  });

  it("is never made after another operator rejected it", async () => {
    const { li, waiting, decide, refund, enter, wallet } = await aShop();
    const id = await waiting(li);
    const [han, an] = [await enter("han", "finance"), await enter("an", "finance")];
    const rejected = await decide(han, id, "reject");
    expect(rejected.json).toMatchObject({ approval: { state: "REJECTED", decidedBy: "han" } });
    expect(rejected.json).not.toHaveProperty("refund");
    expect(await decide(an, id)).toMatchObject({
      status: 409,
      json: { error: { name: "refund-approval.decided" } },
    });
    expect(await refund(li, "r-1", 400)).toMatchObject({
      status: 409,
      json: { error: { name: "refund-approval.rejected" } },
    });
    expect(wallet.balance()).toBe(600);
  });

  it("with an unknown outcome after the approval is shown as unknown", async () => {
    const { li, waiting, decide, enter, wallet } = await aShop();
    const id = await waiting(li);
    const han = await enter("han", "finance");
    wallet.failNext("refund", UNKNOWN, "after");
    expect((await decide(han, id)).json).toMatchObject({
      outcome: "unknown",
      approval: { state: "APPROVED" },
    });
    expect((await decide(han, id)).json).toMatchObject({ outcome: "refunded" });
    expect(wallet.balance()).toBe(200);
  });

  it("needs a reason for the decision", async () => {
    const { li, waiting, enter } = await aShop();
    const id = await waiting(li);
    const han = await enter("han", "finance");
    expect((await han.post(`/api/refund-approvals/${id}/approve`, {})).status).toBe(400);
    const none = await han.post("/api/refund-approvals/none/approve", { reason: "checked" });
    expect(none).toMatchObject({ status: 404, json: { error: { name: "refund-approval.not-found" } } });
  });
});

describe("an operator of some apps", () => {
  it("sees, requests and approves only refunds of these apps", async () => {
    const shop = await aShop();
    const { ports, appId, li, refund, waiting, decide, enter, wallet, path } = shop;
    const other = await anApp(ports, "Kiosk");
    await aPaidOrder(ports, other, "b-1");
    await refund(li, "r-1", 100);
    // With r-1, this is above 300.
    const id = await waiting(li, "r-2", 300);
    const an = await enter("an", "finance", [other]);
    expect((await an.get("/api/refunds")).json).toMatchObject({ items: [] });
    expect((await an.get("/api/refund-approvals")).json).toMatchObject({ items: [] });
    expect(await an.get("/api/refunds", `appId=${appId}`)).toMatchObject({ status: 404 });
    for (const action of ["", "/dry-run"]) {
      const asked = await an.post(path(action), { refundNo: "r-3", amount: 100, reason: "mine" });
      expect(asked).toMatchObject({ status: 404, json: { error: { name: "order.not-found" } } });
    }
    for (const name of ["approve", "reject"] as const)
      expect(await decide(an, id, name)).toMatchObject({
        status: 404,
        json: { error: { name: "refund-approval.not-found" } },
      });
    const body = { refundNo: "r-1", amount: 100, reason: "mine" };
    const made = await an.post(`/api/orders/${other}/b-1/refunds`, body);
    expect(made.json).toMatchObject({ outcome: "refunded" });
    expect(page.parse((await an.get("/api/refunds")).json).items).toMatchObject([{ appId: other }]);
    expect(page.parse((await li.get("/api/refunds")).json).items).toHaveLength(2);
    expect(wallet.balance()).toBe(1_000);
  });
});

describe("the lists", () => {
  it("return refunds of all orders in pages, newest first, with a sentence", async () => {
    const { ports, appId, li, refund } = await aShop({});
    for (const nth of [2, 3, 4]) {
      await aPaidOrder(ports, appId, `b-${nth}`);
      ports.clock.advance(1_000);
      await refund(li, `r-${nth}`, 100, `b-${nth}`);
    }
    const numbers: string[] = [];
    let query: string | undefined = "limit=2";
    while (query !== undefined) {
      const { items, older } = page.parse((await li.get("/api/refunds", query)).json);
      numbers.push(...items.map(({ refundNo }) => refundNo));
      query = older === undefined ? undefined : `limit=2&before=${encodeURIComponent(older)}`;
    }
    expect(numbers).toEqual(["r-4", "r-3", "r-2"]);
    const { json } = await li.get("/api/refunds", "status=CONFIRMED&limit=1");
    expect(json).toMatchObject({ items: [{ appId, bizNo: "b-4" }] });
    expect(JSON.stringify(json)).toContain("Refund r-4 of ¥1.00, by li: bought twice.");
    expect((await li.get("/api/refunds", "status=FAILED")).json).toEqual({ items: [] });
  });

  it("return approvals by state, and only the sender's own if the page asks for these", async () => {
    const { li, enter, waiting, decide } = await aShop();
    const [an, han] = [await enter("an", "finance"), await enter("han", "finance")];
    const ids = { li: await waiting(li, "r-li"), an: await waiting(an, "r-an", 401) };
    const numbers = async (by: Browser, query: string) => {
      const { json } = await by.get("/api/refund-approvals", query);
      return page
        .parse(json)
        .items.map(({ refundNo }) => refundNo)
        .sort();
    };
    expect(await numbers(li, "")).toEqual(["r-an", "r-li"]);
    expect(await numbers(li, "mine=true")).toEqual(["r-li"]);
    expect(await numbers(an, "mine=true")).toEqual(["r-an"]);
    expect(await numbers(han, "mine=true")).toEqual([]);
    await decide(han, ids.li, "reject");
    expect(await numbers(li, "mine=true")).toEqual([]);
    expect(await numbers(li, "mine=true&state=DECIDED")).toEqual(["r-li"]);
    expect(await numbers(an, "mine=true&state=DECIDED")).toEqual([]);
    expect(await numbers(an, "state=REJECTED")).toEqual(["r-li"]);
    expect(await numbers(an, "state=APPROVED")).toEqual([]);
  });

  it("return approvals in pages, the latest request first", async () => {
    const { li, waiting, ports } = await aShop();
    for (const nth of [1, 2, 3]) {
      ports.clock.advance(1_000);
      await waiting(li, `r-${nth}`, 400 + nth);
    }
    const first = page.parse((await li.get("/api/refund-approvals", "limit=2")).json);
    const before = encodeURIComponent(first.older ?? "");
    const second = page.parse((await li.get("/api/refund-approvals", `limit=2&before=${before}`)).json);
    const numbers = [...first.items, ...second.items].map(({ refundNo }) => refundNo);
    expect(numbers).toEqual(["r-3", "r-2", "r-1"]);
    expect(second.older).toBeUndefined();
  });

  it.each(["x", "e30=", "bnVsbA==", "%00", "////"])("refuse the cursor %s", async (cursor) => {
    const { li } = await aShop();
    for (const list of ["/api/refunds", "/api/refund-approvals"]) {
      const { status, json } = await li.get(list, `before=${encodeURIComponent(cursor)}`);
      expect(status).toBe(400);
      expect(json).toMatchObject({ error: { name: "parameter.invalid" } });
    }
  });

  it("write the sentences in Chinese if the browser prefers it", async () => {
    const { surface, li, refund } = await aShop();
    await refund(li, "r-1", 100);
    const headers = { cookie: li.cookie, "accept-language": "zh-CN" };
    const { json } = await send(surface, { path: "/api/refunds", headers });
    expect(JSON.stringify(json)).toContain("支付渠道已确认退款成功");
  });
});
