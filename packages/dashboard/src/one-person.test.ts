import { policyWith } from "@tillkit/core";
import { expectOk } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Browser, browserOf, codeOf, openDashboard, PASSWORD, send } from "./testing/open-dashboard.js";
import { anAbnormalRefund, anApp, anUnsentRefund, aPaidOrder } from "./testing/paid-orders.js";

const DAY = 86_400_000;
const REASON = { reason: "joined the team" };
const waitingAnswer = z.object({ approval: z.object({ id: z.string() }) });

/** A shop with two admins of the host, in which every refund needs a second operator. */
async function aShop() {
  const ports = memoryPorts({ policy: policyWith({ refundApprovalOver: 0 }) });
  const dashboard = openDashboard(ports);
  const appId = await anApp(ports);
  const order = await aPaidOrder(ports, appId, "b-1");
  for (const name of ["han", "an"]) await dashboard.create(name, "admin");
  const [han, an] = [await dashboard.signIn("han"), await dashboard.signIn("an")];
  /** Creates an account on the page. `account` also signs in with it. */
  const create = async (by: Browser, name: string, role = "finance") => {
    const made = await by.post("/api/operators", { name, role, password: PASSWORD, ...REASON });
    expect(made.status).toBe(200);
  };
  const account = async (...[by, name, role]: Parameters<typeof create>) => {
    await create(by, name, role);
    return dashboard.signIn(name);
  };
  let number = 0;
  const request = async (by: Browser) => {
    number += 1;
    const seen = (await expectOk(ports.orders.timeline(order))).length;
    const refund = { refundNo: `r-${number}`, amount: 100, reason: "bought twice", seen };
    return waitingAnswer.parse((await by.post(`/api/orders/${appId}/b-1/refunds`, refund)).json).approval.id;
  };
  const decide = async (by: Browser, id: string, name = "approve") => {
    const seen = (await expectOk(ports.orders.timeline(order))).length;
    const body = { reason: "checked", ...(name === "approve" && { seen }) };
    const { status, json } = await by.post(`/api/refund-approvals/${id}/${name}`, body);
    return status === 200
      ? "done"
      : z.object({ error: z.object({ name: z.string() }) }).parse(json).error.name;
  };
  const balance = () => ports.wallets.WALLET_A.balance();
  return { ...dashboard, han, an, createOnPage: create, account, request, decide, balance };
}

const ONE_PERSON = "refund-approval.one-person";

describe("two accounts of one person", () => {
  it("do not approve or reject each other's requests, and the log records this", async () => {
    const { ports, han, an, account, request, decide, balance } = await aShop();
    const li = await account(han, "li");
    const [mine, its] = [await request(han), await request(li)];
    for (const name of ["approve", "reject"]) {
      expect(await decide(li, mine, name)).toBe(ONE_PERSON);
      expect(await decide(han, its, name)).toBe(ONE_PERSON);
    }
    expect(balance()).toBe(600);
    const log = await expectOk(ports.auditLog.read(0, 1_000));
    const refused = log.filter(({ outcome }) => outcome === "refused");
    expect(refused.map(({ operator, action }) => `${operator} ${action}`)).toEqual([
      "li refund.approve",
      "han refund.approve",
      "li refund.reject",
      "han refund.reject",
    ]);
    expect(refused[0]?.detail).toContain(ONE_PERSON);
    expect(await decide(an, mine)).toBe("done");
    expect(await decide(an, its)).toBe("done");
  });

  it.each(["cli", "host", " CLI "])(
    "count as one person if the client calls its address %j",
    async (peer) => {
      const { ports, surface, han, signIn, request, decide } = await aShop();
      const headers = {
        cookie: han.cookie,
        "x-csrf-token": han.csrfToken,
        "x-change-id": "change-of-a-peer",
      };
      const body = { name: "li", role: "finance", password: PASSWORD, ...REASON };
      const made = await send(surface, { method: "POST", path: "/api/operators", body, headers, peer });
      expect(made.status).toBe(200);
      expect(await decide(await signIn("li"), await request(han))).toBe(ONE_PERSON);
      const log = await expectOk(ports.auditLog.read(0, 1_000));
      expect(log.find(({ subject }) => subject === "operator:li")?.from).toBe("unknown");
    },
  );

  it("get a failure that names the end of the period, in the language of the operator", async () => {
    const { han, account, request } = await aShop();
    const li = await account(han, "li");
    const id = await request(han);
    const { json } = await li.post(`/api/refund-approvals/${id}/approve`, { reason: "checked" });
    expect(JSON.stringify(json)).toMatch(/another operator must decide, or you after \d{4}-\d\d-\d\dT/);
  });

  it("count as two people after the period", async () => {
    const { ports, han, createOnPage, request, decide, signIn, balance } = await aShop();
    await createOnPage(han, "li");
    const id = await request(han);
    ports.clock.advance(7 * DAY);
    expect(await decide(await signIn("li"), id)).toBe("done");
    expect(balance()).toBe(500);
  });

  it.each([
    ["raised", "viewer", [["/role", { role: "finance", ...REASON }]]],
    [
      "enabled again",
      "finance",
      [
        ["/disable", REASON],
        ["/enable", REASON],
      ],
    ],
  ] as const)("count as one person after one account was %s by the other", async (_, role, changes) => {
    const { han, an, create, signIn, request, decide } = await aShop();
    await create("li", role);
    for (const [action, body] of changes)
      expect((await han.post(`/api/operators/li${action}`, body)).status).toBe(200);
    const li = await signIn("li");
    expect(await decide(li, await request(han))).toBe(ONE_PERSON);
    expect(await decide(li, await request(an))).toBe("done");
  });

  it("count as one person after one account has reset the other", async () => {
    const { ports, surface, han, an, create, request, decide } = await aShop();
    await create("li", "finance");
    const { password } = z
      .object({ password: z.string() })
      .parse((await han.post("/api/operators/li/reset", REASON)).json);
    const credentials = { name: "li", password };
    const opened = await send(surface, { method: "POST", path: "/api/session", body: credentials });
    const first = browserOf(surface, "li", opened);
    const { json } = await first.post("/api/session/enrolment");
    const code = codeOf(String(json["key"]), ports.clock.now());
    const complete = browserOf(surface, "li", await first.post("/api/session/enrolment/confirm", { code }));
    const change = { current: password, next: PASSWORD };
    const li = browserOf(surface, "li", await complete.post("/api/session/password", change));
    expect(await decide(li, await request(han))).toBe(ONE_PERSON);
    expect(await decide(li, await request(an))).toBe("done");
  });

  it("count as one person if a third operator created both, or if one is created through the other in a chain", async () => {
    const { han, an, account, request, decide } = await aShop();
    const li = await account(han, "li", "admin");
    const bo = await account(han, "bo");
    const cy = await account(li, "cy");
    const id = await request(bo);
    expect(await decide(li, id)).toBe(ONE_PERSON);
    expect(await decide(cy, id)).toBe(ONE_PERSON);
    expect(await decide(cy, await request(han))).toBe(ONE_PERSON);
    expect(await decide(cy, await request(an))).toBe("done");
  });
});

it("fills the log only up to the limit of refusals", async () => {
  const { ports, han, request, decide } = await aShop();
  const id = await request(han);
  const unbounded = ports.quotas.take.bind(ports.quotas);
  ports.quotas.take = (key, unit) => unbounded(key, { ...unit, limit: Math.min(unit.limit, 3) });
  for (let nth = 0; nth < 5; nth += 1) expect(await decide(han, id, "reject")).toBe("refund-approval.own");
  const { items } = await expectOk(ports.auditLog.search({ action: "refund.reject", limit: 10 }));
  expect(items.map(({ outcome }) => outcome)).toEqual(["refused", "refused", "refused"]);
});

describe("a refund above the limit that is settled by other means", () => {
  const withUnsent = async (changes: Parameters<typeof policyWith>[0] = { refundApprovalOver: 99 }) => {
    const ports = memoryPorts({ policy: policyWith(changes) });
    const dashboard = openDashboard(ports);
    const appId = await anApp(ports);
    await anUnsentRefund(ports, await aPaidOrder(ports, appId, "b-1"), "r-1");
    for (const name of ["root", "han"]) await dashboard.create(name, "admin");
    const [root, han] = [await dashboard.signIn("root"), await dashboard.signIn("han")];
    const settle = (by: Browser) =>
      by.post(`/api/orders/${appId}/b-1/refunds/r-1/settle`, { reason: "in cash" });
    const payOut = (by: Browser) =>
      by.post(`/api/orders/${appId}/b-1/refunds/r-1/pay-out`, { reason: "closed", payTo: "merchant" });
    return { ...dashboard, appId, root, han, settle, payOut };
  };

  it("needs an operator who did not request it, and the log records this", async () => {
    const { ports, root, han, settle } = await withUnsent();
    expect(await settle(root)).toMatchObject({
      status: 403,
      json: { error: { name: "refund-approval.own" } },
    });
    expect((await settle(han)).status).toBe(200);
    const log = (await expectOk(ports.auditLog.read(0, 1_000))).filter(
      ({ action }) => action === "refund.settle",
    );
    expect(log).toMatchObject([
      { operator: "root", outcome: "refused" },
      { operator: "han", outcome: "done" },
    ]);
  });

  it("is not settled by an account of the same person", async () => {
    const { root, signIn, settle } = await withUnsent();
    const made = { name: "li", role: "finance", password: PASSWORD, ...REASON };
    expect((await root.post("/api/operators", made)).status).toBe(200);
    expect(await settle(await signIn("li"))).toMatchObject({ json: { error: { name: ONE_PERSON } } });
  });

  it("needs only one operator below the limit", async () => {
    const { root, settle } = await withUnsent({ refundApprovalOver: 100 });
    expect((await settle(root)).status).toBe(200);
  });

  it("is not paid out to a card by the operator who requested it", async () => {
    const { root, han, payOut } = await withUnsent();
    expect(await payOut(root)).toMatchObject({ json: { error: { name: "refund-approval.own" } } });
    // The refund is not ABNORMAL, so the wallet is not called.
    expect(await payOut(han)).toMatchObject({ json: { error: { name: "refund.status-conflict" } } });
  });

  it("is settled in one step, so that a second tab cannot use its amount", async () => {
    const { ports, root, han, settle, appId } = await withUnsent({ refundApprovalOver: 600 });
    const refund = (refundNo: string) =>
      han.post(`/api/orders/${appId}/b-1/refunds`, { refundNo, amount: 550, reason: "bought twice" });
    const [tab, settled, other] = await Promise.all([refund("r-2"), settle(root), refund("r-3")]);
    expect([tab.status, settled.status, other.status]).toEqual([409, 200, 409]);
    expect((await refund("r-4")).json).toMatchObject({ error: { name: "refund.exceeds-remaining" } });
    expect(ports.wallets.WALLET_A.balance()).toBe(600);
  });
});

describe("a refund above the limit that is paid out to a card", () => {
  const CARD = { bankType: "CMB_DEBIT", bankAccount: "6225880137395123", realName: "Li Lei" } as const;
  const withAbnormal = async (refundApprovalOver = 99) => {
    const ports = memoryPorts({ policy: policyWith({ refundApprovalOver }) });
    const dashboard = openDashboard(ports);
    const appId = await anApp(ports);
    const order = await aPaidOrder(ports, appId, "b-1");
    await anAbnormalRefund(ports, order, "r-1");
    for (const name of ["root", "han", "an"]) await dashboard.create(name, "admin");
    const [root, han, an] = [
      await dashboard.signIn("root"),
      await dashboard.signIn("han"),
      await dashboard.signIn("an"),
    ];
    /** Names a card, and returns the status of the refund. */
    const payOut = async (by: Browser, changes: Partial<Record<keyof typeof CARD, string>> = {}) => {
      const body = { reason: "closed", payTo: "customer", ...CARD, ...changes };
      const { status } = await by.post(`/api/orders/${appId}/b-1/refunds/r-1/pay-out`, body);
      expect(status).toBe(200);
      const [refund] = await expectOk(ports.refunds.list(order));
      return refund?.status;
    };
    const timeline = () => expectOk(ports.orders.timeline(order));
    return { ...dashboard, root, han, an, order, payOut, timeline };
  };

  it("is paid out once another operator names the same card, which is stored nowhere", async () => {
    const { ports, root, han, payOut, timeline } = await withAbnormal();
    expect(await payOut(root)).toBe("ABNORMAL");
    expect(await payOut(root)).toBe("ABNORMAL");
    expect((await timeline()).at(-1)).toMatchObject({
      type: "REFUND_PAYOUT_PROPOSED",
      actor: "operator:root",
      reason: "closed",
    });
    expect(await payOut(han)).toBe("SENT");
    const log = await expectOk(ports.auditLog.read(0, 1_000));
    const payouts = log.filter(({ action }) => action === "refund.pay-out");
    expect(payouts.map(({ operator, detail = "" }) => [operator, detail.includes("isProposed")])).toEqual([
      ["root", true],
      ["root", true],
      ["han", false],
    ]);
    const stored = JSON.stringify([log, await timeline()]);
    for (const text of [CARD.bankAccount, CARD.realName]) expect(stored).not.toContain(text);
  });

  it.each([
    ["number", { bankAccount: "6225880137395131" }],
    ["holder", { realName: "Han Mei" }],
    ["bank", { bankType: "ICBC_DEBIT" }],
  ] as const)("waits while two operators name cards that differ by %s", async (_, changes) => {
    const { root, han, payOut } = await withAbnormal();
    expect(await payOut(root)).toBe("ABNORMAL");
    expect(await payOut(han, changes)).toBe("ABNORMAL");
    expect(await payOut(root, changes)).toBe("SENT");
  });

  it("is not paid out to a card that only one person named if it becomes abnormal meanwhile", async () => {
    const { ports, order, root, timeline } = await withAbnormal();
    // The plan reads the record as it was before the wallet's answer.
    const { refundApprovals } = ports;
    const readRefundFacts: typeof refundApprovals.readRefundFacts = (key, most) =>
      refundApprovals.readRefundFacts(key, most).map(
        (facts) =>
          facts && {
            ...facts,
            refunds: facts.refunds.map((refund) => ({ ...refund, status: "SENT" as const })),
          },
      );
    const late = openDashboard({ ...ports, refundApprovals: { ...refundApprovals, readRefundFacts } });
    const body = { reason: "closed", payTo: "customer", ...CARD };
    const path = `/api/orders/${order.appId}/b-1/refunds/r-1/pay-out`;
    const { cookie, csrfToken } = root;
    const headers = { cookie, "x-csrf-token": csrfToken, "x-change-id": "late-payout-0000000000" };
    const answer = await send(late.surface, { method: "POST", path, body, headers });
    expect(answer).toMatchObject({ status: 409, json: { error: { name: "refund.status-conflict" } } });
    expect((await timeline()).at(-1)).toMatchObject({ type: "REFUND_ABNORMAL" });
  });

  it("is paid out once if two operators name the same card at the same time", async () => {
    const { root, han, payOut, timeline } = await withAbnormal();
    await Promise.all([payOut(root), payOut(han)]);
    const types = (await timeline()).map(({ type }) => type);
    expect(types.filter((type) => type === "REFUND_PAYOUT")).toHaveLength(1);
  });

  it("counts only the card that an operator named last", async () => {
    const { root, han, payOut } = await withAbnormal();
    expect(await payOut(root)).toBe("ABNORMAL");
    expect(await payOut(root, { realName: "Han Mei" })).toBe("ABNORMAL");
    expect(await payOut(han)).toBe("ABNORMAL");
    expect(await payOut(root)).toBe("SENT");
  });

  it("needs both operators again once the refund is abnormal again", async () => {
    const { ports, root, han, an, order, payOut } = await withAbnormal();
    await payOut(root);
    ports.wallets.WALLET_A.failNext("applyAbnormalRefund", {
      name: "wallet.rejected",
      reason: "other",
      trusted: true,
      detail: "no such card",
    });
    const path = `/api/orders/${order.appId}/b-1/refunds/r-1/pay-out`;
    expect((await han.post(path, { reason: "closed", payTo: "customer", ...CARD })).status).not.toBe(200);
    expect(await payOut(an)).toBe("ABNORMAL");
    expect(await payOut(han)).toBe("SENT");
  });

  it("is not paid out by two accounts of one person", async () => {
    const { root, han, signIn, payOut } = await withAbnormal();
    const made = { name: "li", role: "finance", password: PASSWORD, ...REASON };
    expect((await root.post("/api/operators", made)).status).toBe(200);
    expect(await payOut(root)).toBe("ABNORMAL");
    expect(await payOut(await signIn("li"))).toBe("ABNORMAL");
    expect(await payOut(han)).toBe("SENT");
  });

  it("needs only one operator below the limit", async () => {
    const { root, payOut } = await withAbnormal(100);
    expect(await payOut(root)).toBe("SENT");
  });
});
