import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import {
  createOrder,
  createOrderInput,
  defaultPolicy,
  newId,
  orThrow,
  parseInput,
  type WalletAccount,
  type WalletFailure,
} from "@tillkit/core";
import {
  type BillEntry,
  type BillLine,
  EMPTY_BILL,
  EMPTY_FLOW,
  type FlowEntry,
  type FlowLine,
  type StatedLine,
  tallyFlow,
  tallyLines,
} from "@tillkit/core/ports";
import { memoryPorts, type MemoryWallet, memoryWallet, testClock } from "@tillkit/memory";
import { postgresStores } from "@tillkit/postgres";
import { readKeyring, systemRandom } from "@tillkit/runtime";
import { errAsync, ok, okAsync, type ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { emptiedHost, sharedHost } from "../testing/cli.js";
import { newApp, TOOL } from "../testing/fixture.js";
import type { OpenWallets } from "../wallets.js";

const openHost = emptiedHost();

const shared = sharedHost();

const DAY = "2026-01-15";
/** 10:00 in China on the day after the bill. */
const MORNING = Date.UTC(2026, 0, 16, 2);

/** Opens a host with an app on an in-memory wallet, whose bill the test sets. */
async function openShop() {
  const place = await openHost();
  const appId = await newApp(place.ask);
  const clock = testClock();
  const wallet: MemoryWallet = memoryWallet("WALLET_A", clock);
  let bill: readonly BillEntry[] | WalletFailure = [];
  let flow: readonly FlowEntry[] | WalletFailure = [];
  const readBill = <E>(
    _account: WalletAccount,
    _day: string,
    take: (lines: readonly BillEntry[]) => ResultAsync<void, E>,
  ) => {
    if ("name" in bill) return errAsync(bill);
    const lines = bill;
    const totals = { ...tallyLines(EMPTY_BILL, lines), fees: lines.reduce(addFee, 0) };
    return take(lines).andThen(() => okAsync(totals));
  };
  const readFundFlow = <E>(
    _account: WalletAccount,
    _day: string,
    take: (lines: readonly FlowEntry[]) => ResultAsync<void, E>,
  ) => {
    if ("name" in flow) return errAsync(flow);
    const totals = tallyFlow(EMPTY_FLOW, flow);
    return take(flow).andThen(() => okAsync(totals));
  };
  const openWallets: OpenWallets = () =>
    ok({ WALLET_A: { ...wallet, readBill, readFundFlow }, WALLET_B: memoryWallet("WALLET_B", clock) });
  await place.ask(["pay-tools", "set", "--app", appId, await place.file("tool.json", TOOL)], {
    openWallets,
    clock,
  });
  const { credentialKeys } = await orThrow(readKeyring(place.env["TILLKIT_KEYS_FILE"] ?? ""));
  const stores = postgresStores({ sql: place.sql, schema: place.schema, credentialKeys });
  const paid = async (bizNo: string): Promise<BillLine> => {
    const parameters = {
      bizNo,
      amount: 600,
      goodsTitle: "Thirty days",
      payChannel: "WALLET_A",
      customerIdentity: "user-1",
    };
    const input = orThrow(parseInput(createOrderInput(defaultPolicy), parameters));
    const ports = memoryPorts({ ...stores, clock, wallets: { WALLET_A: wallet, WALLET_B: wallet } });
    const { order } = await orThrow(createOrder(ports, appId, input));
    wallet.pay(order.id);
    return line(order.id);
  };
  const says = (args: typeof bill) => {
    bill = args;
  };
  const books = (booked: typeof flow) => {
    flow = booked;
  };
  const later = { openWallets, clock: testClock(MORNING) };
  const reconcile = (code: number, ...argv: readonly string[]) =>
    place.ask(["bills", "reconcile", ...argv], { ...later, code });
  return { ...place, appId, paid, says, books, reconcile, later };
}

function addFee(sum: number, entry: BillEntry): number {
  return sum + (entry.kind === "unreadable" ? 0 : (entry.settlement?.fee ?? 0));
}

/** Returns the line as a wallet settles it, with a fee of four cents. */
function settled(one: BillLine): StatedLine {
  return { ...one, settlement: { no: one.walletTradeNo, received: one.amount, fee: 4 } };
}

/** Returns the movements of a settled line, starting from an opening balance. */
function booked({ outTradeNo: merchantNo, walletTradeNo, amount }: BillLine, opening: number): FlowLine[] {
  const numbers = { at: MORNING - 1, settlementNo: walletTradeNo, merchantNo };
  return [
    { ...numbers, kind: "payment", amount, balance: opening + amount },
    { ...numbers, kind: "fee", amount: -4, balance: opening + amount - 4 },
  ];
}

function line(outTradeNo: string): BillLine {
  return { kind: "payment", outTradeNo, amount: 600, state: "DONE", walletTradeNo: `42${outTradeNo}` };
}

const stranger = () => line(newId({ clock: testClock(), random: systemRandom }));
const exceptions = z.object({ exceptions: z.array(z.object({ id: z.string() })) });

describe("bills", () => {
  it("reconcile applies what the wallet confirms, by default for yesterday, and ends with 0", async () => {
    const { appId, paid, says, reconcile, ask } = await openShop();
    says([await paid("b-1"), line("shop-7")]);
    const { bills } = z.object({ bills: z.array(z.unknown()) }).parse(await reconcile(0));
    expect(bills).toMatchObject([
      {
        payChannel: "WALLET_A",
        appEnv: "DEV",
        accountId: "m-1",
        day: DAY,
        compared: true,
        totals: { payments: 2, paymentAmount: 1_200 },
        foreign: { payments: 1, paymentAmount: 600 },
        open: 0,
        healed: 1,
        gone: 0,
      },
    ]);
    expect(await ask(["orders", "find", "--app", appId, "--biz-no", "b-1"])).toMatchObject({
      orders: [{ paymentStatus: "PAID" }],
    });
    expect(await reconcile(0, "--date", DAY)).toMatchObject({ day: DAY, bills: [{ open: 0, healed: 0 }] });
  });

  it("reconcile ends with 1 while a difference is open, and resolve closes it with operator and note", async () => {
    const { paid, says, reconcile, ask, tillkit, later } = await openShop();
    const unknown = stranger();
    says([await paid("b-1"), unknown]);
    expect(await reconcile(1)).toMatchObject({ bills: [{ open: 1, healed: 1 }] });
    const listed = await ask(["bills", "exceptions"], { code: 1 });
    expect(listed).toMatchObject({
      exceptions: [{ kind: "PAYMENT_NOT_HERE", outTradeNo: unknown.outTradeNo, amountThere: 600, day: DAY }],
      total: { count: 1, isLeast: false },
    });
    expect((await tillkit(["bills", "exceptions"])).stdout).toMatch(
      /PAYMENT_NOT_HERE .*\n1 of 1 exceptions in state OPEN\n$/,
    );
    const [exception] = exceptions.parse(listed).exceptions;
    const resolve = [
      "bills",
      "resolve",
      exception?.id ?? "",
      "--operator",
      "kim",
      "--note",
      "refunded there",
    ];
    expect(await ask(resolve)).toMatchObject({ exceptions: [{ state: "RESOLVED", operator: "kim" }] });
    expect(await ask(resolve, { code: 1 })).toMatchObject({ error: { name: "bill-exception.not-open" } });
    expect(await ask(["bills", "exceptions"])).toEqual({
      exceptions: [],
      total: { count: 0, isLeast: false },
    });
    expect(await ask(["bills", "exceptions", "--state", "resolved"])).toMatchObject({
      exceptions: [{ note: "refunded there" }],
    });
    const shown = (await tillkit(["bills", "exceptions", "--state", "resolved"])).stdout;
    expect(shown).toMatch(/ kim +refunded there\n/);
    expect(await reconcile(0)).toMatchObject({ bills: [{ open: 0 }] });
    expect((await tillkit(["bills", "reconcile"], later)).stdout).toContain(
      "No exception of 2026-01-15 is open.",
    );
  });

  it("explain shows the open differences of an order that --id names", async () => {
    const { says, reconcile, ask, tillkit, paid } = await openShop();
    const line = await paid("b-3");
    says([{ ...line, amount: 599 }]);
    await reconcile(1);
    const [open] = exceptions.parse(await ask(["bills", "exceptions"], { code: 1 })).exceptions;
    const explain = ["orders", "explain", "--id", line.outTradeNo];
    expect((await tillkit(explain)).stdout).toContain(
      `Open difference to the bill of ${DAY}: PAYMENT_NOT_HERE (${open?.id ?? ""}).`,
    );
    expect(await ask(explain)).toMatchObject({
      order: { bizNo: "b-3" },
      approvals: [],
      exceptions: [{ id: open?.id }],
    });
    expect(await ask(["orders", "explain", "--id", "none"], { code: 1 })).toMatchObject({
      error: { name: "order.not-found" },
    });
    for (const argv of [["b-3"], ["b-3", "--id", line.outTradeNo], []])
      expect(await tillkit(["orders", "explain", ...argv])).toMatchObject({ code: 2 });
  });

  it("not-ours closes several exceptions for the operator in TILLKIT_OPERATOR, and names those that were closed if one fails", async () => {
    const { appId, env, says, reconcile, ask, tillkit, paid } = await openShop();
    says([await paid("b-2"), stranger(), stranger(), stranger()]);
    await reconcile(1);
    const listed = exceptions.parse(await ask(["bills", "exceptions"], { code: 1 })).exceptions;
    const [first = "", second = "", third = ""] = listed.map(({ id }) => id);
    const close = (...ids: readonly string[]) =>
      tillkit(["bills", "not-ours", ...ids, "--note", "the mall"], {
        env: { ...env, TILLKIT_OPERATOR: "lin" },
      });
    expect((await close(first, second)).stdout).toBe(
      [first, second].map((id) => `The exception ${id} (PAYMENT_NOT_HERE) is RESOLVED.\n`).join(""),
    );
    const refused = await close(third, first);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      `Closed, and stays: ${third}. Failed: ${first}. The exception is not open`,
    );
    expect(await ask(["bills", "exceptions", "--state", "resolved"])).toMatchObject({
      exceptions: [1, 2, 3].map(() => ({ operator: "lin", note: "the mall" })),
    });
    expect(await ask(["bills", "exceptions", "--state", "resolved", "--app", appId])).toMatchObject({
      exceptions: [],
    });
    expect((await tillkit(["bills", "exceptions"])).stdout).toContain("0 of 0 exceptions");
    const nobody = await tillkit(["bills", "resolve", first, "--note", "x"], {
      env: { ...env, TILLKIT_OPERATOR: "" },
    });
    expect(nobody.code).toBe(2);
    expect(nobody.stderr).toContain("--operator <name>");
  });

  it.each<readonly [string, WalletFailure, string]>([
    [
      "is not made yet",
      { name: "wallet.rejected", reason: "not-ready", trusted: true, detail: "soon" },
      "by 10:00",
    ],
    [
      "is refused",
      { name: "wallet.rejected", reason: "configuration", trusted: false, detail: "NO_AUTH" },
      "tillkit pay-tools check",
    ],
    ["is lost", { name: "wallet.unknown", cause: "timeout", detail: "late" }, "Run the command again later"],
  ])("reconcile ends with 5 when a bill %s", async (_, problem, words) => {
    const { says, reconcile, tillkit, later } = await openShop();
    says(problem);
    expect(await reconcile(5)).toMatchObject({ bills: [{ compared: false, failure: problem }] });
    const { code, stdout } = await tillkit(["bills", "reconcile"], later);
    expect(code).toBe(5);
    expect(stdout).toContain(words);
  });

  it("reconcile shows the figures of the fund-flow bill, and its differences", async () => {
    const { paid, says, books, reconcile, tillkit, ask, later } = await openShop();
    const [one, two] = [await paid("b-1"), await paid("b-2")];
    const withdrawal: FlowLine = { kind: "other", amount: -500, at: MORNING - 1, balance: 10_692 };
    says([settled(one), settled(two)]);
    books([...booked(one, 10_000), ...booked(two, 10_596), withdrawal]);
    expect(await reconcile(0)).toMatchObject({
      bills: [
        {
          totals: { fees: 8 },
          flow: {
            kind: "read",
            figures: {
              payments: 2,
              paymentAmount: 1_200,
              refunds: 0,
              refundAmount: 0,
              fees: 8,
              net: 1_192,
              otherIncome: 0,
              otherExpense: 500,
              openingBalance: 10_000,
              closingBalance: 10_692,
            },
          },
        },
      ],
    });
    const { stdout } = await tillkit(["bills", "reconcile"], later);
    expect(stdout).toContain("Fund-flow bills:");
    expect(stdout).toMatch(
      /WALLET_A +DEV +m-1 +¥12\.00 +¥0\.00 +¥0\.08 +¥11\.92 +¥0\.00 +¥5\.00 +¥100\.00 +¥106\.92 +0\n/,
    );
    books(booked(one, 10_000));
    expect(await reconcile(1)).toMatchObject({ bills: [{ open: 1 }] });
    expect(await ask(["bills", "exceptions"], { code: 1 })).toMatchObject({
      exceptions: [{ kind: "MOVEMENT_MISSING", outTradeNo: two.outTradeNo, amountHere: 600 }],
    });
  });

  it.each<readonly [string, WalletFailure, number, string]>([
    [
      "is refused for good",
      { name: "wallet.rejected", reason: "configuration", trusted: true, detail: "NO_AUTH" },
      0,
      "was not read: the wallet refused (NO_AUTH). The trade bill was compared.",
    ],
    [
      "is not made yet",
      { name: "wallet.rejected", reason: "not-ready", trusted: true, detail: "soon" },
      5,
      "was not read: soon. Fees and balances were not compared. Run the command again later.",
    ],
    ["is lost", { name: "wallet.unknown", cause: "timeout", detail: "late" }, 5, "Run the command again"],
  ])("reconcile compares the trade bill although the fund-flow bill %s", async (_, failure, code, words) => {
    const { paid, says, books, reconcile, tillkit, later } = await openShop();
    says([await paid("b-1")]);
    books(failure);
    expect(await reconcile(code)).toMatchObject({
      bills: [{ compared: true, flow: { kind: "not-read", failure } }],
    });
    const { code: ended, stdout } = await tillkit(["bills", "reconcile"], later);
    expect(ended).toBe(code);
    expect(stdout).toContain("The fund-flow bill of WALLET_A m-1 (DEV) was not read");
    expect(stdout).toContain(words);
  });

  it("exceptions prints what is wrong with a line that cannot be read", async () => {
    const { paid, says, reconcile, tillkit } = await openShop();
    const problem = "it has 28 fields instead of 27";
    const { outTradeNo } = await paid("b-1");
    says([
      { kind: "unreadable", at: 3, digest: "0".repeat(64), problem, outTradeNo },
      { kind: "unreadable", at: 4, digest: "1".repeat(64), problem },
    ]);
    expect(await reconcile(1)).toMatchObject({ bills: [{ totals: { unreadable: { lines: 2 } }, open: 2 }] });
    const { stdout } = await tillkit(["bills", "exceptions"]);
    expect(stdout).toMatch(new RegExp(`UNREADABLE_LINE +${outTradeNo} .* line 3: ${problem}`));
    expect(stdout).toMatch(new RegExp(`UNREADABLE_LINE +- .* line 4: ${problem}`));
  });

  it("reconcile shows its progress on a terminal", async () => {
    const { says, tillkit, later } = await openShop();
    says([stranger()]);
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    const shown = text(terminal);
    await tillkit(["bills", "reconcile"], { ...later, stderr: terminal });
    terminal.end();
    expect(await shown).toMatch(/The bill of WALLET_A m-1 \(DEV\): [a-z]+, (?:1 line|\d+ lines)\b/);
  });

  it.each([
    [["bills", "reconcile", "--date", "2026-02-30"], "date like 2026-01-31"],
    [["bills", "exceptions", "--state", "odd"], "Allowed choices are OPEN"],
    [["bills", "exceptions", "--date", "2026-02-30"], "date like 2026-01-31"],
    [["bills", "exceptions", "--kind", "odd"], "Allowed choices are PAYMENT_NOT_HERE"],
    [["bills", "resolve", "e-1", "--operator", "kim"], "required option '--note <text>'"],
    [["bills", "resolve", "e-1", "--operator", "kim", "--note", ""], "note"],
  ])("refuses %j", async (argv, message) => {
    const { tillkit } = shared();
    const { code, stderr } = await tillkit(argv);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it("resolve fails with an unknown id", async () => {
    const { ask } = shared();
    const resolve = ["bills", "resolve", "e-1", "--operator", "kim", "--note", "seen to"];
    expect(await ask(resolve, { code: 1 })).toMatchObject({ error: { name: "bill-exception.not-found" } });
  });
});
