import { createHash } from "node:crypto";
import { err, errAsync, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { PayTool } from "../pay-tools/pay-tool.js";
import { defaultPolicy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import type { ServiceEvent } from "../events/observer.js";
import { account, anOrder, stub } from "../testing/stubs.js";
import type { Wallet, WalletFailure } from "../wallets/wallet.js";
import type { BillException } from "./bill-exception.js";
import type { KeptBill, KeptBillLine } from "./kept-bill-store.js";
import type { ComparedBill } from "./compared-bill.js";
import type { BillPorts, BillProgress } from "./reconcile-bill.js";
import { reconcileBills, reconcileBillsInput } from "./reconcile-bills.js";
import { EMPTY_BILL, tallyLines } from "./bill-tally.js";
import type { Settlement, SettlementEntry } from "./bill-settlement-store.js";
import { orThrow } from "../errors/or-throw.js";
import { EMPTY_FLOW, type FlowLine, tallyFlow } from "../wallets/fund-flow.js";
import type { BillEntry, BillLine, BillTotals, StatedLine } from "../wallets/wallet-bill.js";

/** 10:00 on 11 May in China. */
const NOW = Date.UTC(2026, 4, 11, 2);
const TEN = orThrow(parseInput(reconcileBillsInput(), { day: "2026-05-10" }));
const NOON = Date.UTC(2026, 4, 10, 4);

const idOf = (number: number) => `01PAYMENT${String(number).padStart(17, "0")}`;
const lineOf = (number: number, changes: Partial<BillLine> = {}): BillLine => ({
  kind: "payment",
  outTradeNo: idOf(number),
  amount: 600,
  state: "DONE",
  walletTradeNo: `42${number}`,
  ...changes,
});
const orderOf = (number: number) =>
  anOrder({ id: idOf(number), bizNo: `b-${number}`, paymentStatus: "PAID", pmtDt: NOON + number });

interface TestFixture {
  /** The number of orders that were paid through Tillkit on that day. */
  readonly paid?: number;
  readonly lines?: readonly StatedLine[];
  readonly flow?: readonly FlowLine[];
  readonly portion?: number;
  readonly totals?: BillTotals;
  readonly tools?: readonly PayTool[];
  readonly readBill?: Wallet["readBill"];
}

/**
 * Creates stores with `paid` orders of the day, and a wallet with a bill of `lines`.
 *
 * The returned `most` is the largest number of items passed in one call.
 */
function openFixture({
  paid = 0,
  lines = [],
  flow = [],
  portion = 1_000,
  totals,
  tools = [account],
  readBill,
}: TestFixture) {
  let [most, next] = [0, 0];
  const seen = <T>(things: readonly T[]): readonly T[] => {
    most = Math.max(most, things.length);
    return things;
  };
  const inPortions = <L, T, E>(
    all: readonly L[],
    take: (lines: readonly L[]) => ResultAsync<void, E>,
    sums: T,
  ): ResultAsync<T, E> => {
    const read = async (): Promise<Result<T, E>> => {
      for (let at = 0; at < all.length; at += portion) {
        const taken = await take(all.slice(at, at + portion));
        if (taken.isErr()) return err(taken.error);
      }
      return ok(sums);
    };
    return new ResultAsync(read());
  };
  const staged = new Map<string, BillLine>();
  const settlements = new Map<string, Settlement>();
  let settlementNos: readonly string[] = [];
  let sorted: readonly BillLine[] = [];
  const reported: string[] = [];
  const recorded: ComparedBill[] = [];
  const kept: KeptBillLine[] = [];
  const keptBills: KeptBill[] = [];
  const exceptions = new Map<string, BillException>();
  const onTimelines: string[] = [];
  const serviceEvents: ServiceEvent[] = [];
  const ports: BillPorts = {
    clock: { now: () => NOW, sleep: async () => undefined },
    random: { bytes: (count) => Uint8Array.from({ length: count }, () => (next += 1) % 256) },
    digest: stub({ sha256: (text) => createHash("sha256").update(text).digest("hex") }),
    observer: { onEvent: (event) => serviceEvents.push(event) },
    policy: defaultPolicy,
    payTools: stub({
      listAll: () => okAsync(tools),
      find: (id) => okAsync(tools.some((tool) => tool.id === id) ? account : undefined),
    }),
    orders: stub({
      findByIds: (ids) =>
        okAsync(
          seen(ids).flatMap((id) => (Number(id.slice(9)) < paid ? [orderOf(Number(id.slice(9)))] : [])),
        ),
      listPaid: ({ payToolId, after, limit }) => {
        const from = after === undefined ? 0 : Number(after.id.slice(9)) + 1;
        const until = payToolId === account.id ? Math.min(paid, from + limit) : 0;
        const page = Array.from({ length: Math.max(0, until - from) }, (_, index) => orderOf(from + index));
        return okAsync(seen(page));
      },
      record: ({ bizNo }, { type, alarm }) => {
        onTimelines.push(`${type} ${bizNo}${alarm ? " alarm" : ""}`);
        return okAsync(true);
      },
    }),
    refunds: stub({ list: () => okAsync([]), listConfirmed: () => okAsync([]) }),
    billLines: stub({
      stage: (_run, portionOfLines) => {
        for (const line of seen(portionOfLines)) staged.set(line.outTradeNo, line);
        return okAsync(undefined);
      },
      page: (_run, after, limit) => {
        if (after === undefined)
          sorted = [...staged.values()].sort((left, right) => (left.outTradeNo < right.outTradeNo ? -1 : 1));
        const from =
          after === undefined ? 0 : sorted.findIndex((line) => line.outTradeNo === after.outTradeNo) + 1;
        return okAsync(seen(sorted.slice(from, from + limit)));
      },
      find: (_run, keys) => okAsync(seen(keys).flatMap(({ outTradeNo }) => staged.get(outTradeNo) ?? [])),
      discard: (_run, limit) => {
        const gone = [...staged.keys()].slice(0, limit);
        for (const key of gone) staged.delete(key);
        return okAsync(gone.length);
      },
    }),
    billSettlements: stub({
      stage: (_run, entries) => {
        for (const entry of seen(entries)) settlements.set(entry.settlementNo, settled(settlements, entry));
        return okAsync(undefined);
      },
      page: (_run, after, limit) => {
        if (after === undefined) settlementNos = [...settlements.keys()].toSorted();
        const from = after === undefined ? 0 : settlementNos.indexOf(after) + 1;
        const numbers = settlementNos.slice(from, from + limit);
        return okAsync(seen(numbers.flatMap((number) => settlements.get(number) ?? [])));
      },
      discard: (_run, limit) => {
        const gone = [...settlements.keys()].slice(0, limit);
        for (const key of gone) settlements.delete(key);
        return okAsync(gone.length);
      },
    }),
    keptBills: stub({
      begin: () => okAsync(undefined),
      add: (_run, lines) => {
        kept.push(...seen(lines));
        return okAsync(undefined);
      },
      list: () => okAsync([]),
      keep: (bill) => {
        keptBills.push(bill);
        return okAsync(true);
      },
    }),
    billExceptions: stub({
      report: (found) => {
        reported.push(...seen(found).map(({ kind, outTradeNo }) => `${kind} ${outTradeNo}`));
        const stored = found.map(({ at, ...facts }): BillException => ({
          ...facts,
          state: "OPEN",
          gmtCreate: at,
          openedAt: at,
          gmtModified: at,
        }));
        for (const one of stored) exceptions.set(one.id, one);
        return okAsync(stored);
      },
      find: (id) => okAsync(exceptions.get(id)),
      closeUnseen: () => okAsync(0),
      recordCompared: (compared) => {
        recorded.push(compared);
        return okAsync(undefined);
      },
    }),
    wallets: {
      WALLET_A: stub({
        readBill:
          readBill ??
          ((_account, _day, take) => inPortions(lines, take, totals ?? tallyLines(EMPTY_BILL, lines))),
        readFundFlow: (_account, _day, take) => inPortions(flow, take, tallyFlow(EMPTY_FLOW, flow)),
      }),
      WALLET_B: stub({}),
    },
  };
  return {
    ports,
    reported,
    recorded,
    kept,
    keptBills,
    onTimelines,
    serviceEvents,
    left: () => staged.size + settlements.size,
    most: () => most,
  };
}

function settled(stored: ReadonlyMap<string, Settlement>, entry: SettlementEntry): Settlement {
  const { settlementNo, side, received, fee, outTradeNo } = entry;
  const none = { lines: 0, received: 0, fee: 0 };
  const before = stored.get(settlementNo) ?? { settlementNo, stated: none, moved: none, open: 0 };
  const name = side === "STATED" ? "stated" : "moved";
  const { lines, ...sums } = before[name];
  const after = { lines: lines + 1, received: sums.received + received, fee: sums.fee + fee };
  return { ...before, [name]: after, ...(outTradeNo === undefined ? {} : { outTradeNo }) };
}

/** Returns the line with its settlement, and the movements that result from it. */
function settling(line: BillLine): { readonly line: StatedLine; readonly movements: readonly FlowLine[] } {
  const { outTradeNo: merchantNo, walletTradeNo: settlementNo, amount } = line;
  const fee = 4;
  return {
    line: { ...line, settlement: { no: settlementNo, received: amount, fee } },
    movements: [
      { kind: "payment", amount, at: NOON, settlementNo, merchantNo },
      { kind: "fee", amount: -fee, at: NOON, settlementNo, merchantNo },
    ],
  };
}

describe("reconcileBills", () => {
  it("marks exceptions as GONE until none is left, also if another process marks some", async () => {
    const fixture = openFixture({ paid: 1, lines: [lineOf(0)] });
    // The first page was full, but another process has closed some of its exceptions before.
    const closed = [480, 20, 0, 3, 0];
    const billExceptions = {
      ...fixture.ports.billExceptions,
      closeUnseen: () => okAsync(closed.shift() ?? 0),
    };
    const outcomes = await reconcileBills({ ...fixture.ports, billExceptions }, TEN);
    expect(orThrow(outcomes)).toMatchObject([{ kind: "compared", reconciled: { gone: 503 } }]);
  });

  it("finds one changed, one missing and one added line among 20 000, a page at a time", async () => {
    const all = Array.from({ length: 20_000 }, (_, number) => lineOf(number));
    const lines = [...all.filter((_, number) => number !== 7_777), lineOf(20_000)].map((line) =>
      line.outTradeNo === idOf(12_345) ? { ...line, amount: 601 } : line,
    );
    const fixture = openFixture({ paid: 20_000, lines, portion: 500 });
    const progress: BillProgress[] = [];
    const outcomes = await reconcileBills(fixture.ports, TEN, (one) => progress.push(one));
    expect(orThrow(outcomes)).toMatchObject([
      { kind: "compared", reconciled: { totals: { payments: 20_000, paymentAmount: 12_000_001 }, open: 3 } },
    ]);
    expect(fixture.reported).toEqual([
      `PAYMENT_AMOUNT ${idOf(12_345)}`,
      `PAYMENT_NOT_HERE ${idOf(20_000)}`,
      `PAYMENT_NOT_THERE ${idOf(7_777)}`,
    ]);
    expect(fixture.most()).toBe(500);
    expect(fixture.left()).toBe(0);
    expect(progress.filter(({ doing }) => doing === "comparing").at(-1)).toMatchObject({ lines: 20_000 });
    expect(fixture.serviceEvents).toContainEqual({
      type: "bill.reconciled",
      payChannel: "WALLET_A",
      accountId: account.accountId,
      day: "2026-05-10",
      open: 3,
      healed: 0,
    });
    const { payChannel, appEnv, accountId } = account;
    const bill = { payChannel, appEnv, accountId, day: "2026-05-10" };
    expect(fixture.recorded).toEqual([{ ...bill, asOf: NOW, matched: 19_998, fees: 0 }]);
  });

  it("finds one changed and one missing movement among 40 000, a page at a time", async () => {
    const all = Array.from({ length: 20_000 }, (_, number) => settling(lineOf(number)));
    const flow = all.flatMap(({ movements }, number) => (number === 7_777 ? [] : movements));
    const changed = flow.findIndex(({ settlementNo }) => settlementNo === "4212345");
    const lines = all.map(({ line }) => line);
    const fixture = openFixture({
      paid: 20_000,
      portion: 500,
      lines,
      flow: flow.map((movement, place) =>
        place === changed ? { ...movement, amount: movement.amount + 1 } : movement,
      ),
      totals: { ...tallyLines(EMPTY_BILL, lines), fees: 80_000 },
    });
    const progress: BillProgress[] = [];
    const outcomes = await reconcileBills(fixture.ports, TEN, (one) => progress.push(one));
    expect(orThrow(outcomes)).toMatchObject([
      {
        reconciled: {
          flow: {
            figures: { payments: 19_999, paymentAmount: 11_999_401, fees: 79_996, net: 11_919_405 },
          },
          open: 2,
        },
      },
    ]);
    expect(fixture.reported).toEqual([`MOVEMENT_AMOUNT ${idOf(12_345)}`, `MOVEMENT_MISSING ${idOf(7_777)}`]);
    expect(fixture.most()).toBe(500);
    expect(fixture.left()).toBe(0);
    expect(progress.at(-1)).toMatchObject({ doing: "settling", lines: 39_998 });
    expect(fixture.recorded).toMatchObject([{ matched: 20_000, fees: 79_996 }]);
  });

  it("keeps every readable line with its fee and the app of its order, also lines of other sellers", async () => {
    const { line: ours, movements } = settling(lineOf(0));
    const { settlement, ...known } = ours;
    const unknown = lineOf(1);
    const foreign: StatedLine = {
      ...lineOf(2),
      outTradeNo: "",
      settlement: { no: "", received: 500, fee: 3 },
    };
    const { settlement: _settlement, ...bare } = foreign;
    const unreadable: BillEntry = { kind: "unreadable", at: 3, digest: "d", problem: "p" };
    const bill = [ours, unknown, unreadable, foreign];
    const readBill: Wallet["readBill"] = (_account, _day, take) =>
      take(bill.slice(0, 2))
        .andThen(() => take(bill.slice(2)))
        .map(() => ({ ...tallyLines(EMPTY_BILL, bill), fees: 7 }));
    const flow = movements.map((movement, index) => ({ ...movement, balance: [1_600, 1_596][index] ?? 0 }));
    const fixture = openFixture({ paid: 1, flow, readBill });
    await reconcileBills(fixture.ports, TEN);
    const { appId, bizNo } = orderOf(0);
    expect(fixture.kept).toStrictEqual([
      { ...known, position: 1, appId, bizNo, settlementNo: settlement?.no, received: 600, fee: 4 },
      { ...unknown, position: 2 },
      { ...bare, position: 3, received: 500, fee: 3 },
    ]);
    expect(fixture.keptBills).toMatchObject([
      { day: "2026-05-10", lines: 3, unreadable: 1, fees: 7, opening: 1_000, closing: 1_596, asOf: NOW },
    ]);
  });

  it("names no app for an order of another account", async () => {
    const line = lineOf(0);
    const fixture = openFixture({ lines: [line] });
    const theirs = { ...orderOf(0), payToolId: "tool-of-another-account" };
    const orders = { ...fixture.ports.orders, findByIds: () => okAsync([theirs]) };
    await reconcileBills({ ...fixture.ports, orders }, TEN);
    expect(fixture.kept).toStrictEqual([{ ...line, position: 1 }]);
  });

  it("keeps nothing of a bill that does not add up", async () => {
    const fixture = openFixture({ lines: [lineOf(0)], totals: EMPTY_BILL });
    await reconcileBills(fixture.ports, TEN);
    expect(fixture.keptBills).toEqual([]);
  });

  it("compares the trade bill if the wallet does not provide the fund-flow bill", async () => {
    const refusal: WalletFailure = {
      name: "wallet.rejected",
      reason: "configuration",
      trusted: true,
      detail: "NO_AUTH",
    };
    const fixture = openFixture({ paid: 2, lines: [lineOf(0)] });
    const wallets = {
      ...fixture.ports.wallets,
      WALLET_A: { ...fixture.ports.wallets.WALLET_A, readFundFlow: () => errAsync(refusal) },
    };
    expect(await orThrow(reconcileBills({ ...fixture.ports, wallets }, TEN))).toMatchObject([
      { kind: "compared", reconciled: { open: 1, flow: { kind: "not-read", failure: refusal } } },
    ]);
    expect(fixture.reported).toEqual([`PAYMENT_NOT_THERE ${idOf(1)}`]);
    expect(fixture.onTimelines).toEqual([`BILL_DIFFERENCE ${orderOf(1).bizNo}`]);
    expect(fixture.recorded).toMatchObject([{ matched: 1 }]);
    expect(fixture.recorded[0]).not.toHaveProperty("fees");
  });

  it("records the trade bill's fees if the wallet does not provide the fund-flow bill", async () => {
    const totals = { ...tallyLines(EMPTY_BILL, [lineOf(0)]), fees: 4 };
    const { ports, recorded } = openFixture({ paid: 1, lines: [lineOf(0)], totals });
    const lost: WalletFailure = { name: "wallet.unknown", cause: "network", detail: "lost" };
    const wallet = { ...ports.wallets.WALLET_A, readFundFlow: () => errAsync(lost) };
    await reconcileBills({ ...ports, wallets: { ...ports.wallets, WALLET_A: wallet } }, TEN);
    expect(recorded).toMatchObject([{ matched: 1, fees: 4 }]);
  });

  it("keeps at most as many unreadable lines in memory as the policy allows", async () => {
    let requestCount = 0;
    const endless: Wallet["readBill"] = (_account, _day, take) => {
      const entry: BillEntry = { kind: "unreadable", at: 1, digest: "d", problem: "it has 1 fields" };
      const read = async () => {
        while (requestCount < 1_000) {
          requestCount += 1;
          const taken = await take([entry]);
          if (taken.isErr()) return err(taken.error);
        }
        return ok(EMPTY_BILL);
      };
      return new ResultAsync(read());
    };
    const { ports, left } = openFixture({ paid: 1, readBill: endless });
    expect(await orThrow(reconcileBills(ports, TEN))).toMatchObject([
      { kind: "not-compared", failure: { name: "wallet.unknown", cause: "unverified" } },
    ]);
    expect(requestCount).toBe(defaultPolicy.maxUnreadableLines + 1);
    expect(left()).toBe(0);
  });

  it("counts the payments of the merchant's other systems, and does not list them", async () => {
    const foreign = [
      lineOf(0, { outTradeNo: "shop-7" }),
      lineOf(0, { outTradeNo: "" }),
      lineOf(0, { kind: "refund", outTradeNo: "shop-7", amount: 5 }),
    ];
    const { ports, reported } = openFixture({ paid: 1, lines: [lineOf(0), ...foreign] });
    expect(await orThrow(reconcileBills(ports, TEN))).toMatchObject([
      {
        reconciled: {
          totals: { payments: 3, paymentAmount: 1_800, refunds: 1, refundAmount: 5 },
          foreign: { payments: 2, paymentAmount: 1_200, refunds: 1, refundAmount: 5 },
          open: 0,
        },
      },
    ]);
    expect(reported).toEqual([]);
  });

  it("reports no difference of an incomplete bill", async () => {
    const LOST: WalletFailure = { name: "wallet.unknown", cause: "network", detail: "lost" };
    const cut: Wallet["readBill"] = (_account, _day, take) => take([lineOf(1)]).andThen(() => err(LOST));
    const unequal = openFixture({
      paid: 1,
      lines: [lineOf(1)],
      totals: { ...EMPTY_BILL, payments: 2, paymentAmount: 600 },
    });
    for (const { ports, reported, recorded, left, serviceEvents } of [
      openFixture({ paid: 1, readBill: cut }),
      unequal,
    ]) {
      expect(await orThrow(reconcileBills(ports, TEN))).toMatchObject([
        { kind: "not-compared", failure: { name: "wallet.unknown" } },
      ]);
      expect({ reported, recorded, left: left() }).toEqual({ reported: [], recorded: [], left: 0 });
      expect(serviceEvents.filter(({ type }) => type !== "wallet.called")).toEqual([
        {
          type: "bill.not-compared",
          payChannel: "WALLET_A",
          accountId: account.accountId,
          day: "2026-05-10",
          failure: "wallet.unknown",
        },
      ]);
    }
  });

  it("requests no bill of a day that has not ended in China", async () => {
    const { ports, serviceEvents } = openFixture({
      readBill: () => errAsync({ name: "wallet.rejected", reason: "other", trusted: true, detail: "asked" }),
    });
    const today = orThrow(parseInput(reconcileBillsInput(), { day: "2026-05-11" }));
    expect(await orThrow(reconcileBills(ports, today))).toMatchObject([
      { kind: "not-compared", bill: { day: "2026-05-11" }, failure: { reason: "not-ready" } },
    ]);
    expect(serviceEvents).toMatchObject([{ type: "bill.not-compared", reason: "not-ready" }]);
  });

  it.each([
    ["is not compared if Tillkit has a payment of the day", 1, "not-compared"],
    ["counts as an empty bill if Tillkit has no payment of the day", 0, "compared"],
  ])("a day without a bill %s", async (_, paid, kind) => {
    const { ports, reported, recorded } = openFixture({
      paid,
      readBill: () => errAsync({ name: "wallet.rejected", reason: "no-bill", trusted: true, detail: "none" }),
    });
    expect(await orThrow(reconcileBills(ports, TEN))).toMatchObject([{ kind }]);
    expect(reported).toEqual([]);
    expect(recorded).toHaveLength(kind === "compared" ? 1 : 0);
  });

  it("skips a merchant without working credentials, unless it took money on that day", async () => {
    const broken = { ...account, signStatus: "NO" as const };
    const idle = { ...broken, id: "tool-2", accountId: "merchant-2" };
    const { ports } = openFixture({ paid: 1, lines: [lineOf(0)], tools: [broken, idle] });
    expect((await orThrow(reconcileBills(ports, TEN))).map(({ bill }) => bill.accountId)).toEqual([
      "merchant-1",
    ]);
  });

  it.each([
    [{}, ["merchant-1", "merchant-2"]],
    [{ payChannel: "WALLET_A", appEnv: account.appEnv, accountId: "merchant-2" }, ["merchant-2"]],
    [{ payChannel: "WALLET_B" }, []],
  ])("compares only the bills of the accounts with %j", async (named, accountIds) => {
    const other = { ...account, id: "tool-2", accountId: "merchant-2" };
    const { ports } = openFixture({ tools: [account, other] });
    const input = orThrow(parseInput(reconcileBillsInput(), { day: "2026-05-10", ...named }));
    const outcomes = await orThrow(reconcileBills(ports, input));
    expect(outcomes.map(({ bill }) => bill.accountId)).toEqual(accountIds);
  });

  it("compares the other bills if one fails", async () => {
    const other = { ...account, id: "tool-0", accountId: "merchant-0" };
    const fixture = openFixture({ paid: 1, lines: [lineOf(0)], tools: [other, account] });
    const { payTools: real } = fixture.ports;
    const payTools = {
      ...fixture.ports.payTools,
      find: (id: string) => (id === "tool-0" ? okAsync(undefined) : real.find(id)),
    };
    expect(await orThrow(reconcileBills({ ...fixture.ports, payTools }, TEN))).toMatchObject([
      { kind: "not-compared", failure: { name: "pay-tool.not-configured" } },
      { kind: "compared", bill: { accountId: "merchant-1" } },
    ]);
  });

  it("fails if the storage fails", async () => {
    const fixture = openFixture({ paid: 1, lines: [lineOf(0)] });
    const broken = { name: "storage.unavailable" } as const;
    const billLines = { ...fixture.ports.billLines, stage: () => errAsync(broken) };
    expect((await reconcileBills({ ...fixture.ports, billLines }, TEN))._unsafeUnwrapErr()).toEqual(broken);
  });

  it.each(["", "2026-02-30", "10.05.2026", "2026-5-1", "0001-01-01", "1999-12-31"])(
    "rejects the day %j",
    (day) => {
      expect(parseInput(reconcileBillsInput(), { day }).isErr()).toBe(true);
    },
  );
});
