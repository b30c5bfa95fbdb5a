import { describe, expect, it } from "vitest";
import { z } from "zod";
import { emptiedHost } from "../testing/cli.js";
import { openShop, REASON, type Shop } from "../testing/shop.js";

const openHost = emptiedHost();

const waitingAnswer = z.object({ approval: z.object({ id: z.string() }) });
const POLICY = JSON.stringify({ refundApprovalOver: 300 });

/** Opens a shop with a paid order of 600 cents, in which more than 300 need an approval. */
async function limitedShop() {
  const shop = await openShop(openHost);
  const { appId, wallet, openWallets, order, ask, file } = shop;
  wallet.pay(await order("b-1"));
  await ask(["orders", "sync", "--app", appId, "b-1"], { openWallets });
  const policy = ["--policy-file", await file("policy.json", POLICY)];
  const run = (args: readonly string[], code = 0) => ask([...args, ...policy], { openWallets, code });
  const refund = (refundNo: string, amount: number, code = 0, more: readonly string[] = []) =>
    run(
      [
        "orders",
        "refund",
        "--app",
        appId,
        "b-1",
        "--amount",
        String(amount),
        "--refund-no",
        refundNo,
        ...REASON,
        ...more,
      ],
      code,
    );
  const waiting = async (refundNo: string, amount: number) =>
    waitingAnswer.parse(await refund(refundNo, amount, 1)).approval.id;
  const decide = (name: "approve" | "reject", id: string, operator: string, code = 0) =>
    run(["refunds", name, id, "--operator", operator, "--reason", "checked"], code);
  const log = async () => {
    const { entries } = logAnswer.parse(await ask(["audit", "list"]));
    return entries
      .filter(({ action }) => action.startsWith("refund."))
      .map(({ action, outcome, operator, from }) => `${action} ${outcome} ${operator} ${from}`)
      .toReversed();
  };
  return { ...shop, run, refund, waiting, decide, log };
}

const logAnswer = z.object({
  entries: z.array(
    z.object({
      action: z.string(),
      outcome: z.string(),
      operator: z.string(),
      from: z.string(),
      detail: z.string().optional(),
    }),
  ),
});

const failureAnswer = z.object({ error: z.object({ name: z.string(), message: z.string() }) });

/** Returns the balance of the shop at its wallet. */
const balanceOf = ({ wallet }: Pick<Shop, "wallet">) => wallet.balance();

describe("refunds", () => {
  it("above the limit wait, are listed, and are made when another operator approves them", async () => {
    const shop = await limitedShop();
    const { run, waiting, decide, log, tillkit } = shop;
    const id = await waiting("case-1", 400);
    expect(balanceOf(shop)).toBe(600);
    expect(await run(["refunds", "approvals"])).toMatchObject({
      approvals: [{ id, refundNo: "case-1", amount: 400, requestedBy: "kim", state: "WAITING" }],
    });
    const listed = await tillkit(["refunds", "approvals"]);
    expect(listed.stdout).toMatch(/ID +REQUESTED +APP/);
    expect(listed.stdout).toContain("bought twice");
    expect(await decide("approve", id, "kim", 1)).toMatchObject({ error: { name: "refund-approval.own" } });
    expect(await decide("approve", id, "li")).toMatchObject({ refund: { amount: 400, status: "CONFIRMED" } });
    expect(await decide("approve", id, "li")).toMatchObject({ refund: { amount: 400, status: "CONFIRMED" } });
    expect(balanceOf(shop)).toBe(200);
    expect(await run(["refunds", "approvals"])).toMatchObject({ approvals: [] });
    expect(await run(["refunds", "approvals", "--state", "approved"])).toMatchObject({ approvals: [{ id }] });
    expect(await log()).toEqual([
      "refund.request done kim cli",
      "refund.approve refused kim cli",
      "refund.approve done li cli",
      "refund.approve done li cli",
    ]);
  });

  it("are never made after a rejection", async () => {
    const shop = await limitedShop();
    const { waiting, decide, refund } = shop;
    const id = await waiting("case-1", 400);
    expect(await decide("reject", id, "li")).toMatchObject({ approval: { state: "REJECTED" } });
    expect(await decide("approve", id, "an", 1)).toMatchObject({
      error: { name: "refund-approval.decided" },
    });
    expect(await refund("case-1", 400, 1)).toMatchObject({ error: { name: "refund-approval.rejected" } });
    expect(await decide("reject", "none", "li", 1)).toMatchObject({
      error: { name: "refund-approval.not-found" },
    });
    expect(balanceOf(shop)).toBe(600);
  });

  it("without an approval are made at once, and the audit log records that", async () => {
    const shop = await limitedShop();
    const { refund, ask } = shop;
    expect(await refund("case-1", 400, 0, ["--without-approval"])).toMatchObject({
      refund: { amount: 400, status: "CONFIRMED", operator: "kim" },
    });
    expect(balanceOf(shop)).toBe(200);
    const { entries } = logAnswer.parse(await ask(["audit", "list", "--action", "refund.request"]));
    expect(entries).toMatchObject([{ outcome: "done", operator: "kim", from: "cli" }]);
    expect(entries[0]?.detail).toContain('"withoutApproval":"true"');
    // The refund counts, so that the next one needs an approval.
    expect(await refund("case-2", 1, 1)).toMatchObject({ approval: { state: "WAITING" } });
  });

  it("are listed by app and after an id", async () => {
    const { waiting, refund, run } = await limitedShop();
    const first = await waiting("case-1", 400);
    const refused = await refund("case-2", 401, 1);
    expect(refused).toMatchObject({ error: { name: "refund.unseen-activity" } });
    expect(JSON.stringify(refused)).toContain("request case-1 of ¥4.00 (400 cents) by kim (WAITING)");
    const seen = /--seen \d+/.exec(JSON.stringify(refused))?.[0].split(" ") ?? [];
    const ids = [waitingAnswer.parse(await refund("case-2", 401, 1, seen)).approval.id, first];
    const idsOf = async (...more: readonly string[]) =>
      z
        .object({ approvals: z.array(z.object({ id: z.string() })) })
        .parse(await run(["refunds", "approvals", ...more]))
        .approvals.map(({ id }) => id);
    const all = await idsOf();
    expect(all.toSorted()).toEqual(ids.toSorted());
    expect(await idsOf("--before", all[0] ?? "")).toEqual(all.slice(1));
    expect(await idsOf("--app", "another")).toEqual([]);
  });

  it("stay waiting if the command that approves them has no gateway for the DEV pay tool", async () => {
    const shop = await limitedShop();
    const { waiting, decide, ask } = shop;
    const id = await waiting("case-1", 400);
    const approve = ["refunds", "approve", id, "--operator", "li", "--reason", "checked"];
    expect(await ask(approve, { code: 2 })).toMatchObject({ error: { name: "wallet.no-gateway" } });
    expect(balanceOf(shop)).toBe(600);
    expect(await decide("approve", id, "li")).toMatchObject({ refund: { status: "CONFIRMED" } });
  });

  it("end with 5 if the wallet gives no definite answer to an approved refund", async () => {
    const shop = await limitedShop();
    const { waiting, decide, wallet } = shop;
    const id = await waiting("case-1", 400);
    wallet.failNext("refund", { name: "wallet.unknown", cause: "timeout", detail: "lost" }, "after");
    expect(await decide("approve", id, "li", 5)).toMatchObject({ error: { name: "refund.outcome-unknown" } });
    expect(await decide("approve", id, "li")).toMatchObject({ refund: { status: "CONFIRMED" } });
    expect(balanceOf(shop)).toBe(200);
  });

  it("are not decided without a reason, or without an operator's name of one line", async () => {
    const { tillkit, decide } = await limitedShop();
    expect((await tillkit(["refunds", "approve", "x", "--operator", "li"])).code).toBe(2);
    expect(await decide("approve", "x", "a\nb", 2)).toMatchObject({ error: { name: "usage.invalid" } });
    expect(await decide("approve", "x", "", 2)).toMatchObject({ error: { name: "usage.invalid" } });
  });
});

describe("refunds adopt", () => {
  const NUMBER = "50300000382026112700001";
  const paidShop = async () => {
    const shop = await openShop(openHost);
    const { appId, wallet, openWallets, order, ask } = shop;
    const outTradeNo = await order("b-1");
    wallet.pay(outTradeNo);
    await ask(["orders", "sync", "--app", appId, "b-1"], { openWallets });
    const adopt = (code = 0) =>
      ask(["refunds", "adopt", "--app", appId, "b-1", "--number", NUMBER, ...REASON], { openWallets, code });
    return { ...shop, outTradeNo, adopt };
  };

  it("records a refund that was made at the wallet once, with one entry of the audit log", async () => {
    const { wallet, outTradeNo, ask, refundAtWallet, adopt } = await paidShop();
    await refundAtWallet(outTradeNo, NUMBER, 200);
    const refund = { refundNo: `console:${NUMBER}`, amount: 200, status: "CONFIRMED", operator: "kim" };
    expect(await adopt()).toMatchObject({ refund });
    expect(await adopt()).toMatchObject({ refund });
    expect(wallet.balance()).toBe(400);
    const { entries } = logAnswer.parse(await ask(["audit", "list"]));
    expect(entries.filter(({ action }) => action === "refund.adopt")).toMatchObject([
      { outcome: "done", operator: "kim", from: "cli" },
    ]);
  });

  it("fails with the reason if the wallet has no such refund", async () => {
    const { adopt } = await paidShop();
    const { error } = failureAnswer.parse(await adopt(1));
    expect(error).toMatchObject({ name: "refund.not-adopted" });
    expect(error.message).toContain("the wallet has no refund with this number");
  });
});
