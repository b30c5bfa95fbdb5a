import {
  aClosure,
  aConfirmation,
  anAccount,
  anEntry,
  anId,
  anOrder,
  aPayment,
  aRefund,
  FIXTURE_TIME,
  DAY,
  expectOk,
} from "@tillkit/contract-tests";
import { type Order, orThrow, parseInput, reconcileBills, reconcileBillsInput } from "@tillkit/core";
import { type BillException, type BillLine, type BillTotals, outRefundNo } from "@tillkit/core/ports";
import fc from "fast-check";
import { okAsync, type ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { memoryPorts } from "../ports/memory-ports.js";

const FIFTEENTH = "2026-01-15";
/** The last millisecond of 15 January in China. */
const LAST = Date.UTC(2026, 0, 15, 16) - 1;

/** A generated order with its refund, and the changes of their lines in the bill. */
interface Trade {
  readonly amount: number;
  readonly paid: boolean;
  /** The confirmed refund in cents, or 0. */
  readonly refunded: number;
  readonly payment: Change;
  readonly refund: Change;
}
type Change = "same" | "left out" | "another amount" | "inserted twice";

const change = fc.constantFrom<Change>(
  "same",
  "same",
  "same",
  "left out",
  "another amount",
  "inserted twice",
);
const trade: fc.Arbitrary<Trade> = fc.record({
  amount: fc.integer({ min: 2, max: 10_000_000_000 }),
  paid: fc.boolean(),
  refunded: fc.integer({ min: 0, max: 2 }),
  payment: change,
  refund: change,
});

/** Creates ports with one app and one account, whose daily bills a test writes. */
async function openFixture() {
  const bills = new Map<string, readonly BillLine[]>();
  let portion = 100;
  const ports = memoryPorts();
  const WALLET_A = {
    ...ports.wallets.WALLET_A,
    readBill: <E>(
      _account: unknown,
      day: string,
      take: (lines: readonly BillLine[]) => ResultAsync<void, E>,
    ) => {
      const lines = bills.get(day) ?? [];
      let taken: ResultAsync<void, E> = okAsync(undefined);
      for (let at = 0; at < lines.length; at += portion) {
        const next = lines.slice(at, at + portion);
        taken = taken.andThen(() => take(next));
      }
      return taken.map(() => totalsOf(lines));
    },
  };
  const fixture = { ...ports, wallets: { ...ports.wallets, WALLET_A } };
  const account = await expectOk(fixture.payTools.put(anAccount()));
  fixture.clock.set(FIXTURE_TIME + 3 * DAY);
  const paid = async (pmtDt: number, changes: Partial<Order> = {}): Promise<Order> => {
    const order = await expectOk(
      fixture.orders.insertOnce(anOrder({ payToolId: account.id, ...changes }), anEntry()),
    );
    const moved = await expectOk(fixture.orders.transition(order, aPayment({ at: pmtDt, pmtDt })));
    return moved?.order ?? order;
  };
  const refunded = async (order: Order, amount: number, at: number): Promise<string> => {
    const refund = aRefund({ bizNo: order.bizNo, refundNo: anId(), amount });
    await expectOk(fixture.refunds.request(refund, anEntry()));
    await expectOk(fixture.refunds.confirm(order, refund.refundNo, aConfirmation({ at })));
    return outRefundNo(order, refund);
  };
  const reconcile = async (day = FIFTEENTH, inPortionsOf = 100) => {
    portion = inPortionsOf;
    fixture.clock.advance(1);
    const outcomes = await expectOk(
      reconcileBills(fixture, orThrow(parseInput(reconcileBillsInput(), { day }))),
    );
    const [outcome] = outcomes;
    if (outcome?.kind !== "compared") throw new Error("Expected one bill to compare.");
    return outcome.reconciled;
  };
  const listed = async (state: BillException["state"]): Promise<readonly string[]> =>
    (await expectOk(fixture.billExceptions.list({ state, limit: 10_000 }))).items.map(textOf).toReversed();
  return { ports: fixture, account, bills, paid, refunded, reconcile, listed };
}

function totalsOf(lines: readonly BillLine[]): BillTotals {
  const of = (kind: BillLine["kind"]) => lines.filter((line) => line.kind === kind);
  const sum = (kind: BillLine["kind"]) => of(kind).reduce((total, { amount }) => total + amount, 0);
  return {
    payments: of("payment").length,
    paymentAmount: sum("payment"),
    refunds: of("refund").length,
    refundAmount: sum("refund"),
  };
}

function textOf({
  kind,
  outTradeNo,
  refundNo = "",
}: Pick<BillException, "kind" | "outTradeNo" | "refundNo">) {
  return `${kind} ${outTradeNo} ${refundNo}`;
}

function paymentLine({ id: outTradeNo, amount }: Pick<Order, "id" | "amount">): BillLine {
  return { kind: "payment", outTradeNo, amount, state: "DONE", walletTradeNo: `42${outTradeNo}` };
}

function refundLine(order: Order, refundNo: string, amount: number): BillLine {
  return { ...paymentLine(order), kind: "refund", refundNo, amount };
}

/** Returns the lines of a bill after `what` happened to `line`, with the resulting exception. */
function changed(
  line: BillLine,
  what: Change,
): { readonly lines: readonly BillLine[]; readonly found: readonly string[] } {
  const of = line.kind === "payment" ? "PAYMENT" : "REFUND";
  const found = (way: "NOT_THERE" | "AMOUNT") => [textOf({ ...line, kind: `${of}_${way}` })];
  switch (what) {
    case "same":
      return { lines: [line], found: [] };
    case "left out":
      return { lines: [], found: found("NOT_THERE") };
    case "another amount":
      return { lines: [{ ...line, amount: line.amount + 1 }], found: found("AMOUNT") };
    case "inserted twice":
      return { lines: [line, line], found: found("AMOUNT") };
  }
}

describe("reconcileBills", () => {
  it("reports exactly the changes of a bill, for any batches, order and number of runs", async () => {
    const strangers = fc.array(fc.constantFrom("payment", "refund"), { maxLength: 3 });
    const run = async (
      trades: readonly Trade[],
      added: readonly BillLine["kind"][],
      portion: number,
      seed: readonly number[],
    ) => {
      const { bills, paid, refunded, reconcile, listed, ports, account } = await openFixture();
      const expected: string[] = [];
      const lines: BillLine[] = [];
      for (const [index, one] of trades.entries()) {
        const { amount } = one;
        if (!one.paid) {
          const order = anOrder({ amount, payToolId: account.id });
          await expectOk(ports.orders.insertOnce(order, anEntry()));
          if (one.payment === "left out") continue;
          lines.push(paymentLine(order));
          expected.push(textOf({ kind: "PAYMENT_NOT_HERE", outTradeNo: order.id }));
          continue;
        }
        const order = await paid(FIXTURE_TIME + index, { amount });
        const payment = changed(paymentLine(order), one.payment);
        lines.push(...payment.lines);
        expected.push(...payment.found);
        if (one.refunded === 0) continue;
        const refundNo = await refunded(order, one.refunded, FIXTURE_TIME + index);
        const refund = changed(refundLine(order, refundNo, one.refunded), one.refund);
        lines.push(...refund.lines);
        expected.push(...refund.found);
      }
      for (const kind of added) {
        const [outTradeNo, refundNo] = [anId(), anId()];
        const line = paymentLine({ id: outTradeNo, amount: 1 });
        lines.push(kind === "payment" ? line : { ...line, kind, refundNo });
        expected.push(
          kind === "payment"
            ? textOf({ kind: "PAYMENT_NOT_HERE", outTradeNo })
            : textOf({ kind: "REFUND_NOT_HERE", outTradeNo, refundNo }),
        );
      }
      const shuffled = lines
        .map((line, index) => ({ line, at: seed[index % seed.length] ?? 0 }))
        .toSorted((left, right) => left.at - right.at)
        .map(({ line }) => line);
      bills.set(FIFTEENTH, shuffled);
      const first = await reconcile(FIFTEENTH, portion);
      expect(first).toMatchObject({ totals: totalsOf(lines), open: expected.length, healed: 0, gone: 0 });
      expect((await listed("OPEN")).toSorted()).toEqual(expected.toSorted());
      bills.set(FIFTEENTH, lines);
      expect(await reconcile(FIFTEENTH, 1_000)).toEqual(first);
      expect((await listed("OPEN")).toSorted()).toEqual(expected.toSorted());
      expect(ports.wallets.WALLET_A.balance()).toBe(0);
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(trade, { maxLength: 8 }),
        strangers,
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.integer(), { minLength: 1, maxLength: 9 }),
        run,
      ),
      { numRuns: 60 },
    );
  });

  it("compares more orders and lines than one page has, in both directions", async () => {
    const { bills, paid, reconcile, listed } = await openFixture();
    const orders: Order[] = [];
    for (let index = 0; index < 250; index += 1)
      orders.push(await paid(FIXTURE_TIME + Math.floor(index / 3)));
    const [missing] = orders.splice(123, 1);
    const stranger = { id: anId(), amount: 5 };
    bills.set(FIFTEENTH, [...orders, stranger].map(paymentLine));
    expect(await reconcile()).toMatchObject({ open: 2 });
    expect((await listed("OPEN")).toSorted()).toEqual(
      [`PAYMENT_NOT_HERE ${stranger.id} `, `PAYMENT_NOT_THERE ${missing?.id ?? ""} `].toSorted(),
    );
  });

  it.each([
    ["the day before first", ["2026-01-15", "2026-01-16"]],
    ["the day after first", ["2026-01-16", "2026-01-15"]],
    ["each twice", ["2026-01-15", "2026-01-15", "2026-01-16", "2026-01-16"]],
  ])(
    "reports no difference for a line that the wallet lists on the neighbouring day: %s",
    async (_, days) => {
      const { bills, paid, refunded, reconcile, listed } = await openFixture();
      const late = await paid(LAST);
      const early = await paid(LAST + 1);
      const refundNo = await refunded(late, 100, LAST + 1);
      // By the clock of the wallet, both payments are on the other side of midnight. The bill lists
      // a refund on the day of its request.
      bills.set("2026-01-15", [paymentLine(early), refundLine(late, refundNo, 100)]);
      bills.set("2026-01-16", [paymentLine(late)]);
      for (const day of days) await reconcile(day);
      expect(await listed("OPEN")).toEqual([]);
      expect(await listed("LISTED")).toHaveLength(3);
    },
  );

  it("keeps a difference OPEN that no bill lists, independently of other days", async () => {
    const { paid, reconcile, listed } = await openFixture();
    const order = await paid(LAST);
    await reconcile("2026-01-15");
    await reconcile("2026-01-16");
    expect(await listed("OPEN")).toEqual([`PAYMENT_NOT_THERE ${order.id} `]);
  });

  it("marks exceptions that a later run does not find as GONE, and keeps exceptions that an operator resolved", async () => {
    const { ports, bills, paid, reconcile, listed } = await openFixture();
    const [one, two] = [await paid(FIXTURE_TIME), await paid(FIXTURE_TIME + 1)];
    await reconcile();
    const { items } = await expectOk(ports.billExceptions.list({ state: "OPEN", limit: 9 }));
    const resolved = items.find(({ outTradeNo }) => outTradeNo === two.id);
    await expectOk(
      ports.billExceptions.resolve(resolved?.id ?? "", {
        operator: "han",
        note: "agreed",
        at: FIXTURE_TIME,
        remedy: "settle",
      }),
    );
    bills.set(FIFTEENTH, [paymentLine(one)]);
    expect(await reconcile()).toMatchObject({ open: 0, gone: 1 });
    expect(await listed("GONE")).toEqual([`PAYMENT_NOT_THERE ${one.id} `]);
    expect(await listed("RESOLVED")).toEqual([`PAYMENT_NOT_THERE ${two.id} `]);
  });

  it("reports nothing about a bill whose lines housekeeping removed while the process was halted", async () => {
    const { ports, bills, paid, listed } = await openFixture();
    bills.set(FIFTEENTH, [paymentLine(await paid(FIXTURE_TIME))]);
    const listPaid: typeof ports.orders.listPaid = (query) => {
      ports.clock.advance(ports.policy.billLineRetention);
      return ports.billLines.removeBefore(ports.clock.now(), 100).andThen(() => ports.orders.listPaid(query));
    };
    const halted = { ...ports, orders: { ...ports.orders, listPaid } };
    const input = orThrow(parseInput(reconcileBillsInput(), { day: FIFTEENTH }));
    expect((await reconcileBills(halted, input))._unsafeUnwrapErr().name).toBe("storage.unavailable");
    expect(await listed("OPEN")).toEqual([]);
  });

  it("produces the same exceptions when several processes compare one bill concurrently", async () => {
    const { ports, bills, paid, listed } = await openFixture();
    const order = await paid(FIXTURE_TIME);
    const stranger = { id: anId(), amount: 5 };
    bills.set(FIFTEENTH, [paymentLine(stranger)]);
    const input = orThrow(parseInput(reconcileBillsInput(), { day: FIFTEENTH }));
    await Promise.all(Array.from({ length: 10 }, () => expectOk(reconcileBills(ports, input))));
    expect((await listed("OPEN")).toSorted()).toEqual(
      [`PAYMENT_NOT_HERE ${stranger.id} `, `PAYMENT_NOT_THERE ${order.id} `].toSorted(),
    );
    expect(await expectOk(ports.billLines.removeBefore(Number.MAX_SAFE_INTEGER, 100))).toBe(0);
  });

  describe("marks as HEALED what a query of the wallet confirms", () => {
    /** Creates an order that the wallet stores, and that receives no further notification. */
    const shown = async (fixture: Awaited<ReturnType<typeof openFixture>>, account = fixture.account) => {
      const { ports } = fixture;
      ports.clock.set(FIXTURE_TIME);
      const order = anOrder({ appId: account.appId, payToolId: account.id });
      await expectOk(ports.orders.insertOnce(order, anEntry()));
      const { id: outTradeNo, amount, goodsTitle, paySource, notifyUrl, expiresAt } = order;
      const parameters = {
        outTradeNo,
        amount,
        goodsTitle,
        paySource,
        notifyUrl,
        expiresAt,
        returnUrl: notifyUrl,
      };
      await expectOk(ports.wallets.WALLET_A.prepare(account, parameters, { deadline: 1 }));
      return order;
    };

    it("a payment whose notification was lost, with its alarm if the order was closed", async () => {
      const fixture = await openFixture();
      const { ports, bills, reconcile, listed } = fixture;
      const [pending, closed, claimed] = [await shown(fixture), await shown(fixture), await shown(fixture)];
      await expectOk(ports.orders.transition(closed, aClosure()));
      for (const { id } of [pending, closed]) ports.wallets.WALLET_A.pay(id);
      bills.set(FIFTEENTH, [pending, closed, claimed].map(paymentLine));
      ports.clock.set(FIXTURE_TIME + DAY);
      expect(await reconcile()).toMatchObject({ open: 1, healed: 2 });
      expect(await listed("HEALED")).toHaveLength(2);
      // A bill alone is no proof: only a confirmation by the wallet makes an order PAID.
      expect(await listed("OPEN")).toEqual([`PAYMENT_NOT_HERE ${claimed.id} `]);
      for (const order of [pending, closed])
        expect(await expectOk(ports.orders.find(order))).toMatchObject({
          paymentStatus: "PAID",
          pmtDt: FIXTURE_TIME,
        });
      const timeline = await expectOk(ports.orders.timeline(closed));
      expect(timeline.at(-1)).toMatchObject({ type: "LATE_PAYMENT", alarm: true });
      expect(await reconcile()).toMatchObject({ open: 1, healed: 0, gone: 0 });
      expect(await listed("HEALED")).toHaveLength(2);
    });

    it("no difference if the bill states another amount, although the order becomes PAID", async () => {
      const fixture = await openFixture();
      const { ports, bills, reconcile, listed } = fixture;
      const order = await shown(fixture);
      ports.wallets.WALLET_A.pay(order.id);
      bills.set(FIFTEENTH, [{ ...paymentLine(order), amount: order.amount + 1 }]);
      ports.clock.set(FIXTURE_TIME + DAY);
      expect(await reconcile()).toMatchObject({ open: 1, healed: 0 });
      expect(await expectOk(ports.orders.find(order))).toMatchObject({ paymentStatus: "PAID" });
      expect(await reconcile()).toMatchObject({ open: 1, healed: 0, gone: 1 });
      expect(await listed("OPEN")).toEqual([`PAYMENT_AMOUNT ${order.id} `]);
    });

    it("no payment to another merchant, even of an order that its own wallet reports as paid", async () => {
      const fixture = await openFixture();
      const { ports, bills, reconcile, listed } = fixture;
      const theirs = await expectOk(
        ports.payTools.put(anAccount({ appId: "app_2", accountId: "another", signStatus: "NO" })),
      );
      const order = await shown(fixture, theirs);
      ports.wallets.WALLET_A.pay(order.id);
      bills.set(FIFTEENTH, [paymentLine(order)]);
      ports.clock.set(FIXTURE_TIME + DAY);
      expect(await reconcile()).toMatchObject({ open: 1, healed: 0 });
      expect(await reconcile()).toMatchObject({ open: 1, healed: 0 });
      expect(await listed("HEALED")).toEqual([]);
    });

    it("a refund that was FAILED in Tillkit, without a difference on the day of its confirmation", async () => {
      const fixture = await openFixture();
      const { ports, account, bills, reconcile, listed } = fixture;
      const order = await shown(fixture);
      ports.wallets.WALLET_A.pay(order.id);
      await expectOk(ports.orders.transition(order, aPayment({ at: FIXTURE_TIME, pmtDt: FIXTURE_TIME })));
      const refund = aRefund({ bizNo: order.bizNo, refundNo: anId() });
      await expectOk(ports.refunds.request(refund, anEntry()));
      await expectOk(ports.refunds.reject(order, refund.refundNo, FIXTURE_TIME, anEntry()));
      const { id: outTradeNo, amount: orderAmount, notifyUrl } = order;
      const { amount, reason } = refund;
      const refundNo = outRefundNo(order, refund);
      const parameters = { outTradeNo, refundNo, amount, orderAmount, reason, notifyUrl };
      await expectOk(ports.wallets.WALLET_A.refund(account, parameters, { deadline: 1 }));
      bills.set(FIFTEENTH, [paymentLine(order), refundLine(order, refundNo, amount)]);
      ports.clock.set(FIXTURE_TIME + DAY);
      expect(await reconcile()).toMatchObject({ open: 0, healed: 1 });
      expect(await expectOk(ports.orders.find(order))).toMatchObject({ refundedAmount: amount });
      ports.clock.set(FIXTURE_TIME + 2 * DAY);
      await reconcile("2026-01-16");
      expect(await listed("OPEN")).toEqual([]);
    });
  });
});

it("reconcileBills records an open difference on the timeline of its order, once for each opening", async () => {
  const { ports, bills, paid, reconcile } = await openFixture();
  const order = await paid(LAST);
  const recorded = async () =>
    (await expectOk(ports.orders.timeline(order)))
      .filter(({ type }) => type === "BILL_DIFFERENCE")
      .map(({ details = "", alarm }): unknown => ({ ...JSON.parse(details), alarm }));
  bills.set(FIFTEENTH, [{ ...paymentLine(order), amount: order.amount + 1 }]);
  await reconcile();
  await reconcile();
  const first = {
    kind: "PAYMENT_AMOUNT",
    day: FIFTEENTH,
    amountThere: order.amount + 1,
    amountHere: order.amount,
    alarm: false,
  };
  expect(await recorded()).toEqual([first]);
  bills.set(FIFTEENTH, [{ ...paymentLine(order), amount: order.amount + 2 }]);
  await reconcile();
  expect(await recorded()).toEqual([first, { ...first, amountThere: order.amount + 2 }]);
  // A line that agrees with the order is recorded on no timeline.
  bills.set(FIFTEENTH, [paymentLine(order)]);
  await reconcile();
  expect(await recorded()).toHaveLength(2);
  // A corrected bill has a difference again, which is recorded as a new opening.
  bills.set(FIFTEENTH, [{ ...paymentLine(order), amount: order.amount + 2 }]);
  ports.clock.advance(1);
  await reconcile();
  await reconcile();
  expect(await recorded()).toHaveLength(3);
});
