import { defaultPolicy } from "@tillkit/core";
import { systemClock } from "@tillkit/runtime";
import { err } from "neverthrow";
import { describe, expect, it } from "vitest";
import { failure } from "../failure.js";
import { sharedHost } from "../testing/cli.js";
import { emptiedHost } from "../testing/cli.js";
import { openShop, REASON } from "../testing/shop.js";
import type { OpenWallets } from "../wallets.js";

const openHost = emptiedHost();

const shared = sharedHost();

/** Control characters of a terminal: clear the screen, break the line, reverse the text. */
const OBEYED = "a\u001b[2J\r\nPAID\u009b1A\u2028\u202eb";

describe("orders", () => {
  it("sync stores the status that the wallet reports, and prints nothing that opens the payment", async () => {
    const { appId, wallet, openWallets, order, ask } = await openShop(openHost);
    wallet.pay(await order("b-1"));
    const synced = await ask(["orders", "sync", "--app", appId, "b-1"], { openWallets });
    expect(synced).toMatchObject({ order: { bizNo: "b-1", paymentStatus: "PAID", amount: 600 } });
    expect(JSON.stringify(synced)).not.toContain("prepay");
  });

  it("close closes the order at the wallet, and reports an order that is already paid", async () => {
    const { appId, wallet, openWallets, order, ask } = await openShop(openHost);
    const close = (bizNo: string, code: number) =>
      ask(["orders", "close", "--app", appId, bizNo, ...REASON], { openWallets, code });
    await order("b-1");
    expect(await close("b-1", 0)).toMatchObject({ order: { paymentStatus: "CLOSE" } });
    expect(await close("b-1", 1)).toMatchObject({ error: { name: "order.closed" } });
    wallet.pay(await order("b-2"));
    expect(await close("b-2", 0)).toMatchObject({ order: { paymentStatus: "PAID" } });
    expect(await close("b-none", 1)).toMatchObject({ error: { name: "order.not-found" } });
  });

  it("refund refunds a part, then the rest, and never more", async () => {
    const { appId, wallet, openWallets, order, ask } = await openShop(openHost);
    wallet.pay(await order("b-1"));
    await ask(["orders", "sync", "--app", appId, "b-1"], { openWallets });
    const refund = (much: readonly string[], code: number) =>
      ask(["orders", "refund", "--app", appId, "b-1", ...much, ...REASON], { openWallets, code });
    expect(await refund(["--amount", "601"], 1)).toMatchObject({
      error: { name: "refund.exceeds-remaining" },
    });
    expect(await refund(["--amount", "200"], 0)).toMatchObject({ refund: { amount: 200, operator: "kim" } });
    expect(await refund(["--all"], 0)).toMatchObject({ refund: { amount: 400, status: "CONFIRMED" } });
    expect(await refund(["--all"], 1)).toMatchObject({ error: { name: "order.refunded" } });
    expect(wallet.balance()).toBe(0);
  });

  it("refund ends with 5 when the wallet gives no definite answer", async () => {
    const { appId, wallet, openWallets, order, tillkit, ask } = await openShop(openHost);
    wallet.pay(await order("b-1"));
    await ask(["orders", "sync", "--app", appId, "b-1"], { openWallets });
    wallet.failNext("refund", { name: "wallet.unknown", cause: "timeout", detail: "lost" }, "after");
    const ran = await tillkit(["orders", "refund", "--app", appId, "b-1", "--all", ...REASON], {
      openWallets,
    });
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain("Do not refund by other means");
    // A script may repeat a refund that ended with 5 without its number. It must stop here, because
    // after the first refund is settled the repetition would be a second refund.
    const another = ["orders", "refund", "--app", appId, "b-1", "--amount", "1", ...REASON];
    const refused = await ask(another, { openWallets, code: 1 });
    expect(refused).toMatchObject({ error: { name: "refund.in-progress" } });
    const [, refundNo = ""] = /--refund-no (\S+)\.$/m.exec(ran.stderr) ?? [];
    const again = ["orders", "refund", "--app", appId, "b-1", "--all", "--refund-no", refundNo, ...REASON];
    expect(await ask(again, { openWallets })).toMatchObject({
      refund: { refundNo, amount: 600, status: "CONFIRMED" },
    });
    expect(wallet.balance()).toBe(0);
  });

  it("store and send nothing for an order of a DEV pay tool without a gateway, and name the setting", async () => {
    const { appId, wallet, openWallets, order, tillkit, ask } = await openShop(openHost);
    wallet.pay(await order("b-1"));
    await ask(["orders", "sync", "--app", appId, "b-1"], { openWallets });
    const given = ["--app", appId, "b-1"];
    const refundNo = ["--refund-no", "case-1"];
    for (const argv of [
      ["orders", "sync", ...given],
      ["orders", "close", ...given, ...REASON],
      ["orders", "refund", ...given, "--all", ...refundNo, ...REASON],
      ["orders", "refund", ...given, "--all", ...refundNo, "--without-approval", ...REASON],
      ["refunds", "withdraw", ...given, ...refundNo, ...REASON],
    ]) {
      const { code, stderr } = await tillkit(argv);
      expect({ argv, code }).toEqual({ argv, code: 2 });
      expect(stderr).toMatch(
        /Nothing was sent or stored\. .* DEV .* WALLET_A\. Set TILLKIT_WALLET_A_GATEWAY .* --server/,
      );
    }
    const { stdout } = await tillkit(["orders", "explain", ...given]);
    expect(stdout).not.toContain("case-1");
    expect(wallet.balance()).toBe(600);
    expect(await ask(["orders", "sync", "--app", appId, "b-none"], { code: 1 })).toMatchObject({
      error: { name: "order.not-found" },
    });
  });

  it("refund with the same number moves no more money, and fails with another amount", async () => {
    const { appId, wallet, openWallets, order, tillkit, ask } = await openShop(openHost);
    wallet.pay(await order("b-1"));
    await ask(["orders", "sync", "--app", appId, "b-1"], { openWallets });
    const refund = (amount: string, code = 0) => {
      const much = ["--amount", amount, "--refund-no", "case-17"];
      return ask(["orders", "refund", "--app", appId, "b-1", ...much, ...REASON], { openWallets, code });
    };
    const made = await refund("200");
    expect(await refund("200")).toEqual(made);
    expect(await refund("201", 1)).toMatchObject({ error: { name: "refund-no.conflict" } });
    expect(wallet.balance()).toBe(400);
    const given = ["orders", "refund", "--app", appId, "b-1", "--all", "--refund-no", "case-18", ...REASON];
    expect((await tillkit(given, { openWallets })).stderr).toBe("");
  });

  it("refund ends with 1 while it waits for a top-up, and prints what to do", async () => {
    const { appId, wallet, openWallets, order, tillkit, ask } = await openShop(openHost);
    wallet.pay(await order("b-1"));
    await ask(["orders", "sync", "--app", appId, "b-1"], { openWallets });
    wallet.setOutOfFunds(true);
    const refund = ["orders", "refund", "--app", appId, "b-1", "--all", "--refund-no", "case-17", ...REASON];
    const ran = await tillkit(refund, { openWallets });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain("is WAITING_FOR_FUNDS. The wallet cannot pay it yet.");
    expect(ran.stdout).toMatch(/It is sent again after \S+ at the earliest\.$/m);
    wallet.setOutOfFunds(false);
    const clock = { ...systemClock, now: () => systemClock.now() + defaultPolicy.refundSendPause };
    expect(await ask(refund, { openWallets, clock })).toMatchObject({ refund: { status: "CONFIRMED" } });
  });

  describe("an abnormal refund", () => {
    const CARD = { bankType: "CMB_DEBIT", bankAccount: "6225880137395123", realName: "Li Lei" };

    /** Opens a shop whose order b-1 has the ABNORMAL refund case-17. */
    async function openShopWithAbnormal() {
      const shop = await openShop(openHost);
      const { appId, wallet, openWallets, order, ask, tillkit } = shop;
      const id = await order("b-1");
      wallet.pay(id);
      await ask(["orders", "sync", "--app", appId, "b-1"], { openWallets });
      wallet.holdNextRefund();
      const refund = [
        "orders",
        "refund",
        "--app",
        appId,
        "b-1",
        "--all",
        "--refund-no",
        "case-17",
        ...REASON,
      ];
      await ask(refund, { openWallets });
      wallet.endRefund(id, `${id}-case-17`, "ABNORMAL");
      const result = await tillkit(refund, { openWallets });
      expect(result.code).toBe(1);
      expect(result.stdout).toContain("is ABNORMAL. The money has left");
      const ending = (command: string, ...more: readonly string[]) => [
        ...command.split(" "),
        "--app",
        appId,
        "b-1",
        "--refund-no",
        "case-17",
        ...REASON,
        ...more,
      ];
      return { ...shop, id, ending };
    }

    it("is paid out to a card from a file or standard input, which is neither stored nor printed", async () => {
      const { openWallets, wallet, id, ending, file, tillkit, sql, schema } = await openShopWithAbnormal();
      const card = await file("card.json", JSON.stringify(CARD));
      wallet.failNext("applyAbnormalRefund", {
        name: "wallet.rejected",
        reason: "other",
        trusted: true,
        detail: "no such card",
      });
      const refused = await tillkit(
        ending("orders pay-out-refund", "--to", "customer", "--card-file", card),
        {
          openWallets,
        },
      );
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(
        "WeChat Pay or Alipay refused the payout of the refund. Read the wallet's reason",
      );
      const input = JSON.stringify(CARD);
      const piped = ending("orders pay-out-refund", "--to", "Customer", "--card-file", "-", "--json");
      const paid = await tillkit(piped, { openWallets, input });
      expect(paid).toMatchObject({ code: 0, json: { refund: { refundNo: "case-17", status: "SENT" } } });
      wallet.endRefund(id, `${id}-case-17`, "CONFIRMED");
      const timeline = await sql.query(
        { name: "test_timeline", text: `select * from "${schema}".timeline` },
        [],
      );
      const refunds = await sql.query(
        { name: "test_refunds", text: `select * from "${schema}".refunds` },
        [],
      );
      for (const place of [refused, paid, timeline, refunds])
        expect(JSON.stringify(place)).not.toMatch(/6225880137395123|Li Lei/);
    });

    it("is settled by other means, and the order is refunded", async () => {
      const { appId, openWallets, ending, ask, sql, schema } = await openShopWithAbnormal();
      // Marks the call that sent the refund as ended.
      await sql.query(
        { name: "test_sends", text: `update "${schema}".refunds set sending_until_ms = 0` },
        [],
      );
      expect(await ask(ending("refunds settle"), { openWallets })).toMatchObject({
        refund: { status: "SETTLED", amount: 600 },
      });
      expect(await ask(["orders", "explain", "--app", appId, "b-1"])).toMatchObject({
        order: { paymentStatus: "REFUND", refundedAmount: 600 },
      });
      const again = await ask(ending("orders pay-out-refund", "--to", "merchant"), { openWallets, code: 1 });
      expect(again).toMatchObject({ error: { name: "refund.status-conflict" } });
    });

    it.each([
      [["--to", "customer"], "Set --card-file to the file"],
      [["--to", "merchant", "--card-file", "-"], "--card-file is only for --to customer"],
      [["--to", "nobody"], "Allowed choices are customer, merchant"],
      [["--to", "customer", "--card-file", "-"], "The card file is not a JSON object"],
    ])("is not paid out with %j", async (argv, message) => {
      const { tillkit } = shared();
      const args = ["orders", "pay-out-refund", "--app", "app_1", "b-1", "--refund-no", "r-1", ...REASON];
      const { code, stderr } = await tillkit([...args, ...argv], { input: '{"bankAccount":"6225"}' });
      expect(code).toBe(2);
      expect(stderr).toContain(message);
      expect(stderr).not.toContain("6225");
    });

    it("is not paid out to a card that cannot be one, whose number is not printed", async () => {
      const { tillkit } = shared();
      const args = ["orders", "pay-out-refund", "--app", "app_1", "b-1", "--refund-no", "r-1", ...REASON];
      const input = JSON.stringify({ ...CARD, bankAccount: "6225 8801" });
      const { code, stderr } = await tillkit([...args, "--to", "customer", "--card-file", "-"], { input });
      expect(code).toBe(2);
      expect(stderr).toContain("Parameter bankAccount must be 8 to 32 digits");
      expect(stderr).not.toContain("6225");
    });
  });

  it("refund prints the number that it chooses before it calls the wallet", async () => {
    const { appId, wallet, openWallets, order, tillkit, ask } = await openShop(openHost);
    wallet.pay(await order("b-1"));
    await ask(["orders", "sync", "--app", appId, "b-1"], { openWallets });
    const dying: OpenWallets = () =>
      err(failure("unavailable", "wallets.gone", "The wallets cannot be reached."));
    const ran = await tillkit(["orders", "refund", "--app", appId, "b-1", "--all", ...REASON], {
      openWallets: dying,
    });
    expect(ran.stderr).toMatch(/^The refund's number is [0-9A-Z]{26}\. /);
  });

  it("find finds orders by number, bizNo and customer, and prints nothing that opens the payment", async () => {
    const { appId, order, ask, tillkit } = await openShop(openHost);
    const id = await order("b-1");
    await order("b-2");
    const by = (...way: string[]) => ask(["orders", "find", ...way]);
    expect(await by("--id", id)).toMatchObject({ orders: [{ bizNo: "b-1" }], totalCount: 1 });
    expect(await by("--app", appId, "--biz-no", "b-2")).toMatchObject({ orders: [{ bizNo: "b-2" }] });
    const ofCustomer = await by("--app", appId, "--customer", "user-1", "--status", "PENDING");
    expect(ofCustomer).toMatchObject({ totalCount: 2 });
    expect(await by("--app", appId, "--customer", "user-1", "--status", "pending")).toEqual(ofCustomer);
    expect(await by("--app", appId, "--customer", "user-1", "--status", "Paid")).toMatchObject({
      totalCount: 0,
    });
    expect(await by("--app", appId, "--biz-no", "b-3")).toEqual({ orders: [], totalCount: 0 });
    expect(JSON.stringify(ofCustomer)).not.toContain("prepay");
    expect((await tillkit(["orders", "find", "--id", id])).stdout).toContain("1 of 1 orders");
  });

  it("explain prints the history, and ends with 1 if the timeline was changed in the database", async () => {
    const { appId, order, ask, sql, schema, tillkit } = await openShop(openHost);
    await order("b-1");
    const explain = ["orders", "explain", "--app", appId, "b-1"];
    expect(await ask(explain)).toMatchObject({ chainHolds: true, timeline: [{ type: "CREATED" }] });
    expect((await tillkit(explain)).stdout).not.toContain("user-1");
    await sql.script(`update ${schema}.timeline set hash = sha256(hash)`);
    expect(await ask(explain, { code: 1 })).toMatchObject({ chainHolds: false });
    expect(await ask(["orders", "explain", "--app", appId, "b-2"], { code: 1 })).toMatchObject({
      error: { name: "order.not-found" },
    });
  });

  it("explain and doctor report a row that contradicts its timeline, and what differs", async () => {
    const { appId, order, ask, sql, schema, tillkit } = await openShop(openHost);
    await order("b-1");
    await sql.script(`update ${schema}.orders set payment_status = 'PAID' where biz_no = 'b-1'`);
    const explain = ["orders", "explain", "--app", appId, "b-1"];
    expect(await ask(explain, { code: 1 })).toMatchObject({
      chainHolds: true,
      differences: [{ member: "paymentStatus", stored: "PAID", proven: "PENDING" }],
    });
    const differs = "the status is PAID, but the timeline proves PENDING";
    expect(await tillkit(explain)).toMatchObject({ code: 1 });
    for (const argv of [explain, ["doctor"]]) expect((await tillkit(argv)).stdout).toContain(differs);
  });

  it("prints control characters as text, in every list, explanation, document and message", async () => {
    const { appId, order, ask, sql, schema, tillkit } = await openShop(openHost);
    await order("b-1");
    const explain = ["orders", "explain", "--app", appId, "b-1"];
    const before = (await tillkit(explain)).stdout.split("\n").length;
    await ask(["service-types", "create", "--app", appId, "--number", "m", "--name", "x", "--days", "1"]);
    const escaped = `E'${OBEYED.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)}'`;
    await sql.script(`set search_path to ${schema};
      update apps set name = ${escaped};
      update orders set goods_title = ${escaped};
      update timeline set reason = ${escaped};
      update pay_tools set app_name = ${escaped}, account_id = ${escaped};
      update service_types set service_name = ${escaped};`);
    const shows: readonly (readonly string[])[] = [
      ["apps", "list"],
      ["pay-tools", "list", "--app", appId],
      ["service-types", "list", "--app", appId],
      ["orders", "find", "--app", appId, "--customer", "user-1"],
      explain,
      ["orders", "explain", "--app", `app_${OBEYED}`, OBEYED],
      ["orders", OBEYED],
    ];
    for (const argv of shows) {
      const result = await tillkit(argv);
      const document = await tillkit([...argv, "--json"]);
      for (const text of [result.stdout, result.stderr, document.stdout])
        expect(text, argv.join(" ")).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/u);
    }
    expect((await tillkit(["apps", "list"])).stdout).toContain(
      "a\\u001b[2J\\u000d\\u000aPAID\\u009b1A\\u2028\\u202eb",
    );
    expect(await ask(["apps", "list"])).toMatchObject({ apps: [{ name: OBEYED }] });
    expect((await tillkit(explain)).stdout.split("\n")).toHaveLength(before);
  });

  it.each([[[]], [["--biz-no", "b"]], [["--id", "a", "--app", "b", "--biz-no", "c"]]])(
    "find refuses %j as unclear",
    async (argv) => {
      const { ask } = shared();
      expect(await ask(["orders", "find", ...argv], { code: 2 })).toMatchObject({
        error: { name: "usage.invalid" },
      });
    },
  );

  it.each([
    [["--amount", "100", "--operator", "kim"], "required option '--reason <text>'"],
    [["--amount", "100", "--reason", "r"], "required option '--operator <name>'"],
    [["--amount", "1.50", ...REASON], "whole number"],
    [["--amount", "0", ...REASON], "at least 1"],
    [["--amount", "1", "--all", ...REASON], "either --amount in cents, or --all"],
    [
      ["--all", "--refund-no", "case 17", ...REASON],
      "Parameter refundNo must be letters, digits, - and _ only",
    ],
  ])("refund refuses %j", async (argv, message) => {
    const { tillkit } = shared();
    const { code, stderr } = await tillkit(["orders", "refund", "--app", "app_1", "b-1", ...argv]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
