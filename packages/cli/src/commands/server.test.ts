import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { aFoundException, aSession, expectOk } from "@tillkit/contract-tests";
import { defaultPolicy } from "@tillkit/core";
import type { OperatorRole } from "@tillkit/core/ports";
import { dashboardSurface } from "@tillkit/dashboard";
import { nodeListener } from "@tillkit/node";
import { systemClock } from "@tillkit/runtime";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { emptiedHost } from "../testing/cli.js";
import { listen, openPage, PASSWORD, type Seen } from "../testing/page-host.js";
import { openShop } from "../testing/shop.js";
import { containing, matching } from "../testing/text-matchers.js";

const openHost = emptiedHost();
/** A clock that does not wait before it asks again. */
const impatient = { now: () => systemClock.now(), sleep: async () => undefined };
const REASON = ["--reason", "bought twice"];

/** Opens a shop with paid orders, whose operators work through its page. */
async function aTeam() {
  const shop = await openShop(openHost);
  const { appId, wallet, openWallets, order, tillkit, folder } = shop;
  const ports = { ...shop.ports, policy: { ...defaultPolicy, refundApprovalOver: 300 } };
  const page = await openPage(ports, { secondFactor: "optional" });
  const { url } = page;
  const envOf = (name: string) => ({ XDG_CONFIG_HOME: join(folder, `config-${name}`), HOME: folder });
  const login = async (name: string, role: OperatorRole, apps?: readonly string[]) => {
    await page.create(name, role, apps);
    const argv = ["login", "--server", url, "--operator", name];
    expect(await tillkit(argv, { env: envOf(name), input: `${PASSWORD}\n` })).toMatchObject({ code: 0 });
  };
  const as = (name: string, argv: readonly string[], more: object = {}) =>
    tillkit([...argv, "--server", url], { env: envOf(name), clock: impatient, ...more });
  const sync = (bizNo: string) => tillkit(["orders", "sync", "--app", appId, bizNo], { openWallets });
  const pay = async (bizNo: string) => {
    const id = await order(bizNo);
    wallet.pay(id);
    await sync(bizNo);
    return id;
  };
  const refund = (bizNo: string, refundNo: string, ...amount: readonly string[]) => {
    const part = amount.length === 0 ? ["--amount", "100"] : amount;
    return ["orders", "refund", "--app", appId, bizNo, "--refund-no", refundNo, ...part, ...REASON];
  };
  const log = async () =>
    (await expectOk(ports.auditLog.read(0, 1_000)))
      .filter(({ from }) => from === "192.0.2.1")
      .map(({ action, outcome, operator }) => `${action} ${outcome} ${operator}`)
      .filter((entry) => !entry.startsWith("session."));
  const refundsOf = async (bizNo: string) =>
    (await expectOk(ports.refunds.list({ appId, bizNo }))).map(({ refundNo, status, operator, amount }) =>
      [refundNo, status, operator, amount].join(" "),
    );
  return { ...shop, ...page, ports, login, as, pay, sync, refund, log, refundsOf, envOf };
}

/** Returns a live session of the customer `cus_1`. */
function aCustomerSession(appId: string) {
  const now = systemClock.now();
  const session = aSession({ appId, customerId: "cus_1", gmtCreate: now - 1_000 });
  return { ...session, expiresAt: now + 3_600_000, tokenHash: "a".repeat(64), label: "Phone" };
}

const changesIn = (seen: readonly Seen[]) =>
  seen.flatMap(({ headers }) => headers["x-change-id"] ?? []).filter((id) => typeof id === "string");

describe("reading through a server", () => {
  it("prints the same as from the database", async () => {
    const team = await aTeam();
    const { appId, ports, as, login, pay, order, tillkit, openWallets, wallet, refund } = team;
    await login("vic", "viewer");
    await login("ann", "finance");
    const id = await pay("b-1");
    await order("b-2");
    await order("a/b~%2F?#");
    await pay("b-3");
    await as("ann", refund("b-1", "r-1"));
    await as("ann", refund("b-1", "r-2"));
    await as("ann", refund("b-3", "big", "--amount", "500"));
    wallet.setOutOfFunds(true);
    await as("ann", refund("b-3", "r-3"));
    await expectOk(
      ports.billExceptions.report([
        aFoundException({ id: "exception-1", outTradeNo: id, amountThere: 700, amountHere: 600 }),
        aFoundException({ id: "exception-2", kind: "PAYMENT_NOT_HERE", amountThere: 100 }),
      ]),
    );
    await expectOk(ports.sessions.open(aCustomerSession(appId), 5));
    const lists: readonly (readonly string[])[] = [
      ["orders", "list"],
      ["orders", "list", "--app", appId, "--status", "paid", "--channel", "wallet_a", "--min", "600"],
      ["orders", "list", "--from", "2020-01-01", "--until", "2020-12-31"],
      ["orders", "list", "--with-alarm"],
      ["orders", "list", "--limit", "2"],
      ["orders", "find", "--number", "b-1"],
      ["orders", "find", "--number", "none"],
      ["orders", "find", "--id", id],
      ["orders", "find", "--app", appId, "--biz-no", "b-2"],
      ["orders", "find", "--app", appId, "--biz-no", "a/b~%2F?#"],
      ["orders", "find", "--app", appId, "--biz-no", ".."],
      ["orders", "find", "--app", appId, "--biz-no", "none"],
      ["refunds", "list"],
      ["refunds", "list", "--status", "confirmed", "--operator", "ann", "--number", "r-1", "--max", "100"],
      ["refunds", "list", "--limit", "1"],
      ["refunds", "approvals"],
      ["refunds", "approvals", "--state", "rejected", "--app", appId],
      ["alarms", "list"],
      ["alarms", "list", "--app", appId],
      ["bills", "exceptions"],
      ["bills", "exceptions", "--kind", "payment_not_here"],
      ["bills", "exceptions", "--before", "exception-2"],
      ["bills", "exceptions", "--state", "resolved"],
      ["sessions", "list", "--app", appId, "--identity", "cus_1"],
    ];
    for (const argv of lists) {
      for (const form of [[], ["--csv"]]) {
        const database = await tillkit([...argv, ...form], { openWallets });
        expect({ argv, ...(await as("vic", [...argv, ...form])) }).toEqual({ argv, ...database });
      }
      const database = await tillkit([...argv, "--json"], { openWallets });
      const { json, code } = await as("vic", [...argv, "--json"]);
      expect({ argv, code }).toEqual({ argv, code: database.code });
      // A server omits some members of a row, but no row.
      expect(database.json).toMatchObject(z.record(z.string(), z.unknown()).parse(json));
    }
  });

  it("explains orders, and lists the events of handlers and the reports of bills", async () => {
    const { appId, ports, as, login, pay, tillkit, openWallets, refund } = await aTeam();
    await login("vic", "viewer");
    await login("ann", "finance");
    await expectOk(ports.eventDeliveries.registerHandler("mailer", systemClock.now()));
    const id = await pay("b-1");
    await as("ann", refund("b-1", "r-1"));
    await expectOk(
      ports.billExceptions.report([
        aFoundException({ id: "exception-1", outTradeNo: id, amountThere: 700, amountHere: 600 }),
      ]),
    );
    const commands: readonly (readonly string[])[] = [
      ["orders", "explain", "--app", appId, "b-1"],
      ["orders", "explain", "--id", id],
      ["orders", "explain", "--id", "none"],
      ["orders", "explain", "--app", appId, "none"],
      ["status"],
      ["events", "list"],
      ["events", "list", "--handler", "mailer", "--parked", "--csv"],
      ["reports", "month", "--month", "2026-01", "--gateway", "dev"],
      ["reports", "day", "--day", "2026-01-05", "--lines", "--app", appId],
      ["reports", "day", "--day", "2026-13-05"],
    ];
    for (const argv of commands) {
      // Both print how many seconds ago something was, so a second may end between them.
      await vi.waitFor(async () => {
        const database = await tillkit(argv, { openWallets });
        expect({ argv, ...(await as("vic", argv)) }).toEqual({ argv, ...database });
      }, 30_000);
    }
    expect((await as("vic", ["orders", "explain", "--id", id])).stdout).toContain("exception-1");
    expect((await as("vic", ["events", "list", "--json"])).json).toMatchObject({
      deliveries: [{ handler: "mailer", bizNo: "b-1", tries: 0 }],
    });
    expect(await as("vic", ["reports", "month", "--month", "2026-01", "--format", "json"])).toMatchObject({
      code: 2,
      stderr: containing("--format json works with the database only"),
    });
  });

  it("writes the file of a report whole or not at all", async () => {
    const { as, login, faults, folder, log } = await aTeam();
    await login("vic", "viewer");
    const file = join(folder, "report.csv");
    const asked = ["reports", "month", "--month", "2026-01", file];
    faults.fault = ({ path }) => (path.includes(".csv") ? "lose-answer" : undefined);
    expect(await as("vic", asked)).toMatchObject({ code: 3 });
    faults.fault = ({ path }) => (path.includes(".csv") ? "other-answer" : undefined);
    expect(await as("vic", asked)).toMatchObject({ code: 4 });
    expect(await readdir(folder)).not.toContain("report.csv");
    faults.fault = () => undefined;
    expect(await as("vic", asked)).toMatchObject({ stdout: containing(`The file is ${file}.`) });
    expect(await readFile(file, "utf8")).toMatch(/^\uFEFF?\w/);
    expect(new Set(await log())).toEqual(new Set(["settlements.export done vic"]));
  });

  it("shows an operator the apps of the account only, and sends no read again", async () => {
    const { as, login, pay, appId, seen } = await aTeam();
    await pay("b-1");
    await login("vic", "viewer", ["other"]);
    expect(await as("vic", ["orders", "list"])).toMatchObject({ code: 0, stdout: "No order matches.\n" });
    const before = seen.length;
    const hidden = await as("vic", ["refunds", "list", "--app", appId]);
    expect(hidden).toMatchObject({ code: 1, stderr: containing("you do not see it") });
    expect(seen.length - before).toBe(1);
  });

  it("names the options that need the database", async () => {
    const { as, login, appId, seen } = await aTeam();
    await login("vic", "finance");
    const before = seen.length;
    for (const argv of [
      ["orders", "find", "--app", appId, "--customer", "user-1"],
      ["bills", "exceptions", "--app", appId],
      ["sessions", "list", "--app", appId, "--phone", "13800138000"],
      ["orders", "refund", "--app", appId, "b-1", "--amount", "1", ...REASON, "--without-approval"],
    ])
      expect(await as("vic", argv)).toMatchObject({
        code: 2,
        stderr: containing("works with the database only: leave out --server"),
      });
    expect(seen.length).toBe(before);
  });
});

describe("changing through a server", () => {
  it("has the rights of the role", async () => {
    const { as, login, pay, refund, log, refundsOf } = await aTeam();
    await pay("b-1");
    await login("vic", "viewer");
    const refused = await as("vic", refund("b-1", "r-1"));
    expect(refused).toMatchObject({ code: 1, stderr: containing("Your role or your apps") });
    await login("sue", "support");
    const approving = await as("sue", ["refunds", "approve", "01JH2Z6Q8M", ...REASON, "--json"]);
    expect(approving).toMatchObject({ code: 1, json: { error: { name: "permission.denied", exitCode: 1 } } });
    expect(await as("sue", refund("b-1", "r-1"))).toMatchObject({
      code: 0,
      stdout: matching(/^Refund r-1 of ¥1\.00 .* is CONFIRMED/),
    });
    expect(await refundsOf("b-1")).toEqual(["r-1 CONFIRMED sue 100"]);
    expect(await log()).toEqual([
      "refund.request refused vic",
      "refund.approve refused sue",
      "refund.request done sue",
    ]);
  });

  it("needs a second operator above the limit", async () => {
    const { as, login, pay, refund, log, refundsOf } = await aTeam();
    await pay("b-1");
    await login("ann", "finance");
    await login("bob", "finance");
    const waiting = await as("ann", [...refund("b-1", "r-1", "--all"), "--json"]);
    expect(waiting).toMatchObject({ code: 1, json: { approval: { state: "WAITING", amount: 600 } } });
    const { id } = z.object({ approval: z.object({ id: z.string() }) }).parse(waiting.json).approval;
    // The repetition asks for the same amount, and stores no second request.
    expect(await as("ann", refund("b-1", "r-1", "--all"))).toMatchObject({
      code: 1,
      stdout: containing(`\`tillkit refunds approve ${id}\``),
    });
    expect(await as("ann", ["refunds", "approve", id, ...REASON])).toMatchObject({
      code: 1,
      stderr: "You requested this refund yourself. Another operator must decide.\n",
    });
    expect(await as("bob", ["refunds", "approve", id, ...REASON])).toMatchObject({
      code: 0,
      stdout: containing("Refund r-1 of ¥6.00 (600 cents) is CONFIRMED"),
    });
    expect(await as("bob", ["refunds", "reject", id, ...REASON])).toMatchObject({
      code: 1,
      stderr: containing("Somebody has decided about this refund"),
    });
    expect(await refundsOf("b-1")).toEqual(["r-1 CONFIRMED ann 600"]);
    expect(await log()).toContain("refund.approve done bob");
    expect(await log()).toContain("refund.approve refused ann");
    expect(await as("ann", refund("b-1", "r-9", "--all"))).toMatchObject({
      code: 1,
      stderr: containing("Nothing of the order is left to refund"),
    });
  });

  it("rejects a request, and refuses a refund if the operator has not seen what others have started", async () => {
    const { as, login, pay, refund } = await aTeam();
    await pay("b-1");
    await login("ann", "finance");
    await login("bob", "finance");
    await as("ann", refund("b-1", "r-1", "--amount", "400"));
    const listed = await as("bob", ["refunds", "approvals", "--json"]);
    const schema = z.object({ approvals: z.array(z.object({ id: z.string() })) });
    const id = schema.parse(listed.json).approvals[0]?.id ?? "";
    const unseen = await as("bob", refund("b-1", "r-2"));
    expect(unseen).toMatchObject({
      code: 1,
      stderr: containing("request r-1 of ¥4.00 (400 cents) by ann (WAITING)"),
    });
    const seen = /--seen (\d+)/.exec(unseen.stderr)?.[1] ?? "";
    expect(await as("bob", [...refund("b-1", "r-2"), "--seen", seen])).toMatchObject({ code: 0 });
    expect(await as("bob", ["refunds", "reject", id, ...REASON])).toMatchObject({
      code: 0,
      stdout: containing("is REJECTED"),
    });
    expect(await as("ann", refund("b-1", "r-1", "--amount", "400"))).toMatchObject({
      code: 1,
      stderr: containing("use another --refund-no"),
    });
  });

  it("repeats a change with the same id if its answer is lost, and changes nothing twice", async () => {
    const { as, login, pay, refund, faults, seen, refundsOf, log } = await aTeam();
    await pay("b-1");
    await login("ann", "finance");
    for (const [refundNo, fault] of [
      ["r-1", "lose-answer"],
      ["r-2", "lose-request"],
    ] as const) {
      const before = seen.length;
      let lost = 0;
      faults.fault = ({ method }) => {
        if (method !== "POST" || lost === 2) return undefined;
        lost += 1;
        return fault;
      };
      expect(await as("ann", refund("b-1", refundNo))).toMatchObject({
        code: 0,
        stdout: containing(`Refund ${refundNo} of ¥1.00 (100 cents) is CONFIRMED`),
      });
      const ids = changesIn(seen.slice(before));
      expect({ sent: ids.length, ids: new Set(ids).size }).toEqual({ sent: 3, ids: 1 });
    }
    expect(await refundsOf("b-1")).toEqual(["r-1 CONFIRMED ann 100", "r-2 CONFIRMED ann 100"]);
    expect(await log()).toEqual(["refund.request done ann", "refund.request done ann"]);
  });

  it("reports an unknown outcome if no answer arrives", async () => {
    const { as, login, pay, refund, faults, refundsOf, seen } = await aTeam();
    await pay("b-1");
    await login("ann", "finance");
    faults.fault = ({ method }) => (method === "POST" ? "lose-answer" : undefined);
    const before = seen.length;
    const ran = await as("ann", [...refund("b-1", "r-1"), "--json"]);
    expect(ran).toMatchObject({ code: 5, json: { error: { name: "server.unreachable", exitCode: 5 } } });
    expect(new Set(changesIn(seen.slice(before))).size).toBe(1);
    faults.fault = () => "other-answer";
    const other = seen.length;
    expect(await as("ann", refund("b-1", "r-1"))).toMatchObject({
      code: 5,
      stderr: containing("It is not known whether the change was made."),
    });
    expect(seen.length - other).toBe(1);
    expect(await as("ann", ["refunds", "list"])).toMatchObject({ code: 4 });
    faults.fault = () => undefined;
    // The command can be repeated with the number of the refund.
    expect(await as("ann", refund("b-1", "r-1"))).toMatchObject({ code: 0 });
    expect(await refundsOf("b-1")).toEqual(["r-1 CONFIRMED ann 100"]);
    faults.fault = () => "lose-request";
    expect(await as("ann", ["orders", "list"])).toMatchObject({ code: 3 });
  });

  it("syncs and closes orders, acknowledges alarms, closes exceptions and ends sessions", async () => {
    const team = await aTeam();
    const { appId, ports, as, login, pay, order, wallet, refund, log, url } = team;
    await login("ann", "finance");
    wallet.pay(await order("b-1"));
    const app = ["--app", appId];
    expect(await as("ann", ["orders", "sync", ...app, "b-1"])).toMatchObject({
      code: 2,
      stderr: containing("Set --reason"),
    });
    expect(await as("ann", ["orders", "sync", ...app, "b-1", ...REASON])).toMatchObject({
      code: 0,
      stdout: matching(/^The order b-1 \(.*\) of ¥6\.00 .* is PAID\.\n$/),
    });
    await order("b-2");
    expect(await as("ann", ["orders", "close", ...app, "b-2", ...REASON, "--json"])).toMatchObject({
      code: 0,
      json: { order: { bizNo: "b-2", paymentStatus: "CLOSE", payChannel: "WALLET_A" } },
    });
    expect(await as("ann", ["orders", "close", ...app, "b-1", ...REASON])).toMatchObject({ code: 1 });
    await pay("b-3");
    wallet.setOutOfFunds(true);
    await as("ann", refund("b-3", "r-1"));
    const acknowledge = ["alarms", "acknowledge", ...app, "b-3", ...REASON];
    expect(await as("ann", acknowledge)).toMatchObject({
      code: 0,
      stdout: "The alarms of the order b-3 are acknowledged.\n",
    });
    expect(await as("ann", acknowledge)).toMatchObject({ code: 1, stderr: "The order has no open alarm.\n" });
    expect(await as("ann", ["alarms", "list"])).toMatchObject({ code: 0 });
    const found = ["one", "two", "three"].map((id) =>
      aFoundException({ id, kind: "PAYMENT_NOT_HERE", outTradeNo: `unknown-${id}` }),
    );
    await expectOk(ports.billExceptions.report(found));
    const note = ["--note", "the mall"];
    expect(await as("ann", ["bills", "not-ours", "one", ...note])).toMatchObject({
      code: 0,
      stdout: "The exception one (PAYMENT_NOT_HERE) is RESOLVED.\n",
    });
    expect(await as("ann", ["bills", "resolve", "two", "one", "three", ...note])).toMatchObject({
      code: 1,
      stderr: "Closed, and stays: two. Failed: one. The exception is no longer open.\n",
    });
    expect(await as("ann", ["bills", "assign", "three", "b-1", ...app, ...note])).toMatchObject({
      code: 0,
      stdout: containing("It belongs to b-1."),
    });
    await expectOk(ports.sessions.open(aCustomerSession(appId), 5));
    const revoke = ["sessions", "revoke", ...app, "--identity", "cus_1", "--all", ...REASON];
    expect(await as("ann", revoke)).toMatchObject({ code: 0, stdout: "Ended sessions: 1.\n" });
    expect(new Set(await log())).toEqual(
      new Set([
        "order.sync done ann",
        "order.close done ann",
        "order.close failed ann",
        "refund.request done ann",
        "order.acknowledge done ann",
        "order.acknowledge failed ann",
        "bill-exception.not-ours done ann",
        "bill-exception.resolve done ann",
        "bill-exception.resolve failed ann",
        "bill-exception.assign done ann",
        "customer.end-sessions done ann",
      ]),
    );
    expect(url).toContain("/dashboard");
  });

  it("settles, withdraws and adopts refunds", async () => {
    const team = await aTeam();
    const { appId, as, login, pay, refund, wallet, refundAtWallet, refundsOf, log, sql, schema } = team;
    await login("ann", "finance");
    await login("sue", "support");
    const id = await pay("b-1");
    const app = ["--app", appId];
    await refundAtWallet(id, "console-7", 50);
    const adopt = ["refunds", "adopt", ...app, "b-1", "--number", "console-7", ...REASON];
    expect(await as("sue", adopt)).toMatchObject({ code: 0, stdout: containing("console-7 of ¥0.50") });
    wallet.setOutOfFunds(true);
    const number = ["--refund-no", "r-1", ...REASON];
    await as("ann", refund("b-1", "r-1"));
    await as("ann", ["alarms", "acknowledge", ...app, "b-1", ...REASON]);
    for (const action of ["withdraw", "settle"])
      expect(await as("sue", ["refunds", action, ...app, "b-1", ...number])).toMatchObject({ code: 1 });
    // Marks the call that sent the refund as ended.
    await sql.query({ name: "test_sends", text: `update "${schema}".refunds set sending_until_ms = 0` }, []);
    for (const [action, status] of [
      ["withdraw", "WITHDRAWN"],
      ["settle", "SETTLED"],
    ] as const)
      expect(await as("ann", ["refunds", action, ...app, "b-1", ...number])).toMatchObject({
        code: 0,
        stdout: containing(`Refund r-1 of ¥1.00 (100 cents) is ${status}.`),
      });
    expect(await refundsOf("b-1")).toContainEqual(containing("r-1 SETTLED"));
    expect(await log()).toEqual([
      "refund.adopt done sue",
      "refund.request done ann",
      "order.acknowledge done ann",
      "refund.withdraw refused sue",
      "refund.settle refused sue",
      "refund.withdraw done ann",
      "refund.settle done ann",
    ]);
  });

  it("pays an abnormal refund out, once, and stores no card", async () => {
    const team = await aTeam();
    const { appId, ports, as, login, pay, refund, wallet, refundsOf, log, seen, faults } = team;
    await login("ann", "finance");
    await login("sue", "support");
    const id = await pay("b-1");
    wallet.holdNextRefund();
    await as("ann", refund("b-1", "r-1"));
    wallet.endRefund(id, `${id}-r-1`, "ABNORMAL");
    await as("ann", refund("b-1", "r-1"));
    expect(await refundsOf("b-1")).toEqual(["r-1 ABNORMAL ann 100"]);
    const payOut = ["orders", "pay-out-refund", "--app", appId, "b-1", "--refund-no", "r-1", ...REASON];
    const toCard = [...payOut, "--to", "customer", "--card-file", "-"];
    const card = { bankType: "CMB_DEBIT", bankAccount: "6225880137395123", realName: "Li Lei" };
    const input = { input: JSON.stringify(card) };
    expect(await as("sue", toCard, input)).toMatchObject({ code: 1, stderr: containing("Your role") });
    const before = seen.length;
    let isLost = false;
    faults.fault = ({ method }) => {
      if (method !== "POST" || isLost) return undefined;
      isLost = true;
      return "lose-answer";
    };
    expect(await as("ann", toCard, input)).toMatchObject({
      code: 0,
      stdout: containing("Refund r-1 of ¥1.00 (100 cents) is SENT"),
    });
    expect(new Set(changesIn(seen.slice(before))).size).toBe(1);
    expect(await log()).toEqual([
      "refund.request done ann",
      "refund.request done ann",
      "refund.pay-out refused sue",
      "refund.pay-out done ann",
    ]);
    const stored = JSON.stringify([
      await expectOk(ports.auditLog.read(0, 1_000)),
      await expectOk(ports.orders.timeline({ appId, bizNo: "b-1" })),
    ]);
    for (const secret of [card.bankAccount, card.realName]) expect(stored).not.toContain(secret);
  });

  it("acts only under the name of the account", async () => {
    const { as, login, pay, refund, refundsOf, envOf } = await aTeam();
    await pay("b-1");
    await login("ann", "finance");
    const wrong = { code: 2, stderr: containing("You are signed in as ann") };
    expect(await as("ann", [...refund("b-1", "r-1"), "--operator", "bob"])).toMatchObject(wrong);
    const env = { ...envOf("ann"), TILLKIT_OPERATOR: "bob" };
    expect(await as("ann", refund("b-1", "r-1"), { env })).toMatchObject(wrong);
    expect(await refundsOf("b-1")).toEqual([]);
    expect(await as("ann", [...refund("b-1", "r-1"), "--operator", "Ann"])).toMatchObject({ code: 0 });
    expect(await refundsOf("b-1")).toEqual(["r-1 CONFIRMED ann 100"]);
  });

  it("sends the session only to the server, and prints it nowhere", async () => {
    const { as, login, pay, refund, faults, envOf, url, log } = await aTeam();
    await pay("b-1");
    await login("ann", "finance");
    const folder = join(envOf("ann").XDG_CONFIG_HOME, "tillkit", "sessions");
    const port = new URL(url).port;
    const file = (await readdir(folder)).find((name) => name.includes(`_${port}-`)) ?? "";
    const stored = z
      .object({ cookie: z.string(), csrfToken: z.string() })
      .parse(JSON.parse(await readFile(join(folder, file), "utf8")));
    const elsewhere: string[] = [];
    const other = await listen((request, response) => {
      elsewhere.push(request.url ?? "");
      response.end("{}");
    });
    faults.fault = () => new URL(`${other}/dashboard`);
    const moved = [await as("ann", ["orders", "list"]), await as("ann", refund("b-1", "r-1"))];
    for (const ran of moved)
      expect(ran).toMatchObject({
        code: 1,
        stderr: containing(`redirects to ${other}/dashboard`),
      });
    expect(elsewhere).toEqual([]);
    faults.fault = () => undefined;
    expect(await log()).toEqual([]);
    const headers = { cookie: stored.cookie, "x-csrf-token": stored.csrfToken };
    const ended = await fetch(`${url}/api/session`, { method: "DELETE", headers });
    expect(ended.status).toBe(200);
    const out = [await as("ann", ["orders", "list"]), await as("ann", refund("b-1", "r-1"))];
    for (const ran of out)
      expect(ran).toMatchObject({
        code: 1,
        stderr: containing(`Run \`tillkit login --server ${url}\`.`),
      });
    for (const { stdout, stderr } of [...moved, ...out])
      for (const secret of [stored.cookie.split("=")[1] ?? "", stored.csrfToken])
        expect(stdout + stderr).not.toContain(secret);
    expect(await as("bob", ["orders", "list"])).toMatchObject({
      code: 1,
      stderr: containing("You are not signed in"),
    });
  });
});

describe("a page without accounts", () => {
  it("needs no login if the host lets the request in", async () => {
    const { tillkit, ports, appId, order, folder } = await openShop(openHost);
    const env = { HOME: folder };
    const id = await order("buy-1");
    const authorize = async () => ({ name: "developer", role: "admin" }) as const;
    const handle = nodeListener({
      "/dashboard": dashboardSurface(ports, { authorize, mountPath: "/dashboard" }),
    });
    const url = `${await listen(handle)}/dashboard`;
    const list = await tillkit(["orders", "list", "--server", url, "--json"], { env });
    expect(list).toMatchObject({ code: 0, stdout: containing(id) });
    const close = ["orders", "close", "--app", appId, "buy-1", "--server", url];
    const closed = await tillkit([...close, ...REASON], { env });
    expect(closed).toMatchObject({ code: 0 });
    expect(await tillkit(["login", "--server", url, "--operator", "kim"], { env })).toMatchObject({
      code: 1,
      stderr: containing("needs no login"),
    });
    expect((await expectOk(ports.orders.find({ appId, bizNo: "buy-1" })))?.paymentStatus).toBe("CLOSE");
  });

  it("sends nothing to a server on another machine", async () => {
    const { tillkit, folder } = await openShop(openHost);
    const server = ["--server", "https://pay.example/dashboard"];
    expect(await tillkit(["orders", "list", ...server], { env: { HOME: folder } })).toMatchObject({
      code: 1,
      stderr: containing("You are not signed in"),
    });
  });

  it("names the page if the host identifies operators in another way", async () => {
    const { tillkit, ports, folder } = await openShop(openHost);
    const env = { HOME: folder };
    const handle = nodeListener({
      "/dashboard": dashboardSurface(ports, { authorize: async () => undefined, mountPath: "/dashboard" }),
    });
    const url = `${await listen(handle)}/dashboard`;
    expect(await tillkit(["orders", "list", "--server", url], { env })).toMatchObject({
      code: 1,
      stderr: containing(`use the page ${url}`),
    });
  });
});

describe("the choice of the server", () => {
  it("is refused by commands that work with the database only", async () => {
    const { tillkit, env } = await openHost();
    for (const argv of [["migrate"], ["doctor"], ["apps", "list"], ["events", "replay"], ["keys", "create"]])
      expect(await tillkit([...argv, "--server", "https://pay.example/dashboard"])).toMatchObject({
        code: 2,
        stderr: containing("works with the database and the key file only: leave out --server"),
      });
    const TILLKIT_SERVER = "https://pay.example/dashboard";
    expect(await tillkit(["apps", "list"], { env: { TILLKIT_SERVER } })).toMatchObject({
      code: 2,
      stderr: containing("Unset TILLKIT_SERVER"),
    });
    const both = { ...env, TILLKIT_SERVER };
    for (const command of ["orders", "apps"])
      expect(await tillkit([command, "list"], { env: both })).toMatchObject({ code: 2 });
    const database = ["--database-url", env["DATABASE_URL"] ?? ""];
    for (const command of ["orders", "apps"])
      expect(await tillkit([command, "list", ...database], { env: both })).toMatchObject({ code: 0 });
    const two = await tillkit(["orders", "list", "--server", TILLKIT_SERVER, ...database]);
    expect(two).toMatchObject({ code: 2, stderr: containing("not both") });
  });

  it("can come from the environment", async () => {
    const { login, url, envOf, tillkit } = await aTeam();
    await login("vic", "viewer");
    const env = { ...envOf("vic"), TILLKIT_SERVER: url };
    expect(await tillkit(["orders", "list"], { env })).toMatchObject({ code: 0 });
  });
});
