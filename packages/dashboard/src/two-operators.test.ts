import { randomBytes } from "node:crypto";
import { orThrow, parseInput, policyWith, refundOrder, refundOrderInput } from "@tillkit/core";
import { CONCURRENT_CALLERS, expectOk } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { migrate, pgClient, postgresStores } from "@tillkit/postgres";
import pg from "pg";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import * as z from "zod";
import { type Browser, openDashboard } from "./testing/open-dashboard.js";
import { anApp, aPaidOrder } from "./testing/paid-orders.js";

const REJECTED = { name: "wallet.rejected", reason: "other", trusted: true, detail: "not today" } as const;

type Ports = ReturnType<typeof memoryPorts>;

const policy = policyWith({ refundApprovalOver: 300 });
const waitingAnswer = z.object({ approval: z.object({ id: z.string() }) });

/** Two processes over one storage in memory. */
async function inMemory(): Promise<readonly [Ports, Ports]> {
  const ports = memoryPorts({ policy });
  return [ports, { ...ports }];
}

/** Two processes over one schema of PostgreSQL, each with a pool of its own. */
async function onPostgres(): Promise<readonly [Ports, Ports]> {
  const schema = `dashboard_${randomBytes(6).toString("hex")}`;
  const open = () => {
    const pool = new pg.Pool({ connectionString: inject("databaseUrl"), max: 5 });
    return pgClient(pool, { statementMs: 60_000, idleInTransactionMs: 60_000, connectMs: 60_000 });
  };
  const [first, second] = [open(), open()];
  onTestFinished(async () => {
    await first.script(`drop schema if exists ${schema} cascade`);
    await Promise.all([first.close(), second.close()]);
  });
  await expectOk(migrate({ sql: first, schema }));
  const memory = memoryPorts({ policy });
  const credentialKeys = [{ version: 1, key: randomBytes(32) }];
  const over = (sql: typeof first) => ({ ...memory, ...postgresStores({ sql, schema, credentialKeys }) });
  return [over(first), over(second)];
}

describe.each([
  ["in memory", inMemory],
  ["on PostgreSQL", onPostgres],
] as const)("two operators in two processes %s", (_, open) => {
  const aShop = async () => {
    const [first, second] = (await open()).map((ports) => openDashboard(ports));
    if (first === undefined || second === undefined) throw new Error("There are no two processes.");
    const { ports, create } = first;
    const appId = await anApp(ports);
    const order = await aPaidOrder(ports, appId, "b-1");
    for (const name of ["han", "li"]) await create(name, "finance");
    await create("an", "support");
    const [han, li, an] = [await first.signIn("han"), await second.signIn("li"), await first.signIn("an")];
    const request = (by: Browser, refundNo: string, amount: number, seen?: number) =>
      by.post(`/api/orders/${appId}/b-1/refunds`, { refundNo, amount, reason: "bought twice", seen });
    const decide = (by: Browser, id: string, name: "approve" | "reject") =>
      by.post(`/api/refund-approvals/${id}/${name}`, { reason: "checked" });
    const refunds = () => expectOk(ports.refunds.list(order));
    const settle = (by: Browser, refundNo: string) =>
      by.post(`/api/orders/${appId}/b-1/refunds/${refundNo}/settle`, { reason: "in cash" });
    return { ports, order, han, li, an, request, decide, settle, refunds, wallet: ports.wallets.WALLET_A };
  };

  it("make one refund of the same number", async () => {
    const { han, li, request, refunds, wallet } = await aShop();
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT_CALLERS }, (_caller, nth) =>
        request(nth % 2 === 0 ? han : li, "r-1", 300),
      ),
    );
    expect(await refunds()).toMatchObject([{ refundNo: "r-1", amount: 300, status: "CONFIRMED" }]);
    expect(wallet.balance()).toBe(300);
    for (const { json } of answers) expect(["refunded", "accepted", "unknown"]).toContain(json["outcome"]);
  });

  it("do not exceed the limit with two refunds at the same time", async () => {
    const { han, li, request, refunds, wallet } = await aShop();
    await Promise.all([request(han, "r-1", 200), request(li, "r-2", 200)]);
    await Promise.all([request(han, "r-3", 200), request(li, "r-4", 200)]);
    expect(await refunds()).toMatchObject([{ amount: 200 }]);
    expect(wallet.balance()).toBe(400);
  });

  it.each([
    ["another settlement", 0],
    ["a refund", 1],
  ] as const)("do not exceed the limit with a settlement beside %s", async (_beside, refundsToRequest) => {
    const { ports, han, order, request, settle, refunds, wallet } = await aShop();
    for (const refundNo of ["r-1", "r-2"]) {
      wallet.failNext("refund", REJECTED);
      const asked = { bizNo: "b-1", refundNo, amount: 200, reason: "broken", operator: "han" };
      const input = orThrow(parseInput(refundOrderInput(policy), asked));
      expect((await refundOrder(ports, order.appId, input)).isErr()).toBe(true);
    }
    const seen = (await expectOk(ports.orders.timeline(order))).length;
    const beside = refundsToRequest === 0 ? settle(han, "r-2") : request(han, "r-3", 200, seen);
    const answers = await Promise.all([settle(han, "r-1"), beside]);
    expect(answers.filter(({ status }) => status === 200)).not.toHaveLength(0);
    expect((await refunds()).filter(({ status }) => status !== "FAILED")).toHaveLength(1);
  });

  it("store one approval of the same refund, and make it once when both approve it", async () => {
    const { ports, han, li, an, request, decide, refunds, wallet } = await aShop();
    const asked = await Promise.all(Array.from({ length: 8 }, () => request(an, "r-1", 400)));
    const ids = new Set(asked.map(({ json }) => waitingAnswer.parse(json).approval.id));
    expect(ids.size).toBe(1);
    const [id = ""] = ids;
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT_CALLERS }, (_caller, nth) =>
        decide(nth % 2 === 0 ? han : li, id, "approve"),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await refunds()).toMatchObject([{ refundNo: "r-1", amount: 400, status: "CONFIRMED" }]);
    expect(wallet.balance()).toBe(200);
    const log = await expectOk(ports.auditLog.read(0, 1_000));
    expect(log.filter(({ action }) => action === "refund.approve").length).toBeGreaterThan(0);
    const approval = await expectOk(ports.refundApprovals.find(id));
    expect(["han", "li"]).toContain(approval?.decidedBy);
  });

  it("make only one decision if they approve and reject at the same time", async () => {
    const { ports, han, li, an, request, decide, refunds, wallet } = await aShop();
    const { id } = waitingAnswer.parse((await request(an, "r-1", 400)).json).approval;
    const [approved, rejected] = await Promise.all([decide(han, id, "approve"), decide(li, id, "reject")]);
    const { state, decidedBy } = (await expectOk(ports.refundApprovals.find(id))) ?? {};
    const winner = decidedBy === "han" ? approved : rejected;
    const loser = decidedBy === "han" ? rejected : approved;
    expect([winner.status, loser.status]).toEqual([200, 409]);
    expect(state).toBe(decidedBy === "han" ? "APPROVED" : "REJECTED");
    expect(await refunds()).toHaveLength(decidedBy === "han" ? 1 : 0);
    expect(wallet.balance()).toBe(decidedBy === "han" ? 200 : 600);
  });
});
