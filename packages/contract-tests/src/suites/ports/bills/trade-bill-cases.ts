import { defaultPolicy } from "@tillkit/core";
import { type BillTotals, consoleRefundNo, EMPTY_BILL, outRefundNo, tallyLines } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { anId, DAY, FIXTURE_TIME } from "../../../support/fixtures.js";
import { expectOk } from "../../../support/open-before-each.js";
import {
  anUnreadableLine,
  type BillFixture,
  FIFTEENTH,
  paymentLine,
  refundLine,
  SIXTEENTH,
} from "../../../support/stores/bill-fixture.js";
import { refundMovedTo } from "../../../support/stores/refund-moved-to.js";

/** Tests `reconcileBills` with trade bills. */
export function tradeBillCases(fixture: () => BillFixture): void {
  describe("a trade bill", () => {
    it.each(["payments", "paymentAmount", "refunds", "refundAmount"] as const)(
      "is rejected as a whole if its %s do not match its lines",
      async (name) => {
        const { days, paid, refunded, refuse, listed, stores } = fixture();
        const order = await paid();
        const refund = await refunded(order, 100);
        // The bill does not contain this payment.
        await paid();
        const lines = [paymentLine(order), refundLine(order, refund)];
        const sums = tallyLines(EMPTY_BILL, lines);
        for (const by of [1, -1]) {
          const totals: Partial<BillTotals> = { [name]: sums[name] + by };
          days.set(FIFTEENTH, { lines, totals });
          expect(await refuse()).toMatch(/do not add up/);
        }
        expect(await listed()).toEqual([]);
        expect(await expectOk(stores.billLines.removeBefore(Number.MAX_SAFE_INTEGER, 9))).toBe(0);
      },
    );

    it("differs if a payment or a refund has another amount", async () => {
      const { days, paid, refunded, reconcile, listed } = fixture();
      const order = await paid();
      const refund = await refunded(order, 100);
      const [payment, back] = [paymentLine(order), refundLine(order, refund)];
      days.set(FIFTEENTH, { lines: [payment, back] });
      expect(await reconcile()).toMatchObject({ open: 0 });
      days.set(FIFTEENTH, { lines: [payment, { ...back, amount: 101 }] });
      expect(await reconcile()).toMatchObject({ open: 1 });
      days.set(FIFTEENTH, { lines: [{ ...payment, amount: 599 }, back] });
      expect(await reconcile()).toMatchObject({ open: 1, gone: 1 });
      expect(await listed()).toEqual([`PAYMENT_AMOUNT ${order.id}  599 600`]);
      expect(await listed("GONE")).toEqual([
        `REFUND_AMOUNT ${order.id} ${outRefundNo(order, refund)} 101 100`,
      ]);
    });

    it("keeps the lines of an earlier comparison that a later bill lacks, and names them", async () => {
      const { days, paid, refunded, reconcile, listed, exceptions, keptLines } = fixture();
      const order = await paid();
      const refund = await refunded(order, 100);
      const other = paymentLine({ id: "shop-7", amount: 700 });
      const lines = [paymentLine(order), refundLine(order, refund), other];
      const numbers = ({ kind, outTradeNo }: { kind: string; outTradeNo: string }) => `${kind} ${outTradeNo}`;
      days.set(FIFTEENTH, { lines });
      expect(await reconcile()).toMatchObject({ open: 0 });
      // The missing line belongs to an order of another system, so only LINE_MISSING reports it.
      days.set(FIFTEENTH, { lines: lines.slice(0, 2) });
      expect(await reconcile()).toMatchObject({ open: 1 });
      expect(await listed()).toEqual(["LINE_MISSING shop-7  undefined 700"]);
      expect((await exceptions())[0]).not.toHaveProperty("order");
      expect((await keptLines()).map(numbers)).toEqual(lines.map(numbers));
      days.set(FIFTEENTH, { lines: [other, paymentLine(order)] });
      expect(await reconcile()).toMatchObject({ gone: 1 });
      const refundNo = outRefundNo(order, refund);
      expect(await listed()).toEqual([
        `LINE_MISSING ${order.id} ${refundNo} undefined 100`,
        `REFUND_NOT_THERE ${order.id} ${refundNo} undefined 100`,
      ]);
      expect((await exceptions()).find(({ kind }) => kind === "LINE_MISSING")).toMatchObject({
        order: { appId: order.appId, bizNo: order.bizNo },
      });
      days.set(FIFTEENTH, { lines: [paymentLine(order)] });
      await reconcile();
      expect(await listed()).toContain("LINE_MISSING   0 600");
      expect((await keptLines()).map(numbers)).toEqual(lines.map(numbers));
      // The wallet corrects its bill, which closes the exceptions.
      days.set(FIFTEENTH, { lines: [other, ...lines.slice(0, 2)] });
      expect(await reconcile()).toMatchObject({ open: 0, gone: 2 });
      expect((await keptLines()).map(numbers)).toEqual([other, ...lines.slice(0, 2)].map(numbers));
    });

    describe("a refund that moves to the bill of the next day", () => {
      const NEXT_DAY = Date.parse("2026-01-16T10:30:00+08:00");
      const DAY_AFTER = NEXT_DAY + DAY;

      /** Counts how often the kept bills of both days have the refund. */
      async function counted({ keptLines }: BillFixture, refundNo: string) {
        const lines = [...(await keptLines()), ...(await keptLines(SIXTEENTH))];
        return lines.filter((line) => line.refundNo === refundNo).length;
      }

      it.each([
        ["read again before the next day's bill", true],
        ["read again only after the next day's bill", false],
      ])("is added up once if its first bill is %s", async (_, isEarly) => {
        const { days, paid, refunded, reconcileAt, listed } = fixture();
        const order = await paid();
        const refund = await refunded(order, 100);
        const refundNo = outRefundNo(order, refund);
        const line = refundLine(order, refund);
        days.set(FIFTEENTH, { lines: [paymentLine(order), line] });
        expect(await reconcileAt(NEXT_DAY, FIFTEENTH)).toMatchObject({ open: 0 });
        days.set(FIFTEENTH, { lines: [paymentLine(order)] });
        days.set(SIXTEENTH, { lines: [line] });
        const missing = `LINE_MISSING ${order.id} ${refundNo} undefined 100`;
        if (isEarly) {
          await reconcileAt(NEXT_DAY + 1, FIFTEENTH);
          expect(await listed()).toContain(missing);
        }
        await reconcileAt(DAY_AFTER, SIXTEENTH);
        // Until the first bill is compared again, both bills have the refund, and an exception
        // reports it.
        expect(await listed()).toEqual([missing]);
        expect(await counted(fixture(), refundNo)).toBe(2);
        await reconcileAt(DAY_AFTER + 1, FIFTEENTH);
        expect(await listed()).toEqual([]);
        expect(await counted(fixture(), refundNo)).toBe(1);
        await reconcileAt(DAY_AFTER + 2, SIXTEENTH);
        await reconcileAt(DAY_AFTER + 3, FIFTEENTH);
        expect(await listed()).toEqual([]);
        expect(await counted(fixture(), refundNo)).toBe(1);
      });

      it("stays in both bills if the wallet lists it in both", async () => {
        const { days, paid, refunded, reconcileAt, listed } = fixture();
        const order = await paid();
        const refund = await refunded(order, 100);
        const line = refundLine(order, refund);
        days.set(FIFTEENTH, { lines: [paymentLine(order), line] });
        days.set(SIXTEENTH, { lines: [line] });
        await reconcileAt(NEXT_DAY, FIFTEENTH);
        await reconcileAt(DAY_AFTER, SIXTEENTH);
        expect(await listed()).toHaveLength(1);
        await reconcileAt(DAY_AFTER + 1, FIFTEENTH);
        await reconcileAt(DAY_AFTER + 2, SIXTEENTH);
        expect(await listed()).toEqual([]);
      });

      it("causes one exception if Tillkit has no record of the refund", async () => {
        const { days, paid, reconcileAt, exceptions } = fixture();
        const order = await paid();
        const line = refundLine(order, { refundNo: "console-1", amount: 100 });
        days.set(FIFTEENTH, { lines: [paymentLine(order), line] });
        days.set(SIXTEENTH, { lines: [line] });
        await reconcileAt(NEXT_DAY, FIFTEENTH);
        await reconcileAt(DAY_AFTER, SIXTEENTH);
        const unrecorded = (await exceptions()).filter(({ kind }) => kind === "REFUND_NOT_HERE");
        expect(unrecorded).toMatchObject([{ amountThere: 100, day: SIXTEENTH }]);
      });
    });

    it.each([
      ["settle", 2],
      ["not-ours", 1],
    ] as const)(
      "keeps or drops the missing line of a bill after the exception is resolved with %s",
      async (remedy, count) => {
        const { days, paid, reconcile, exceptions, keptLines, stores } = fixture();
        const order = await paid();
        const lines = [paymentLine(order), paymentLine({ id: "shop-7", amount: 700 })];
        days.set(FIFTEENTH, { lines });
        await reconcile();
        days.set(FIFTEENTH, { lines: lines.slice(0, 1) });
        await reconcile();
        const [{ id } = { id: "none" }] = await exceptions();
        const resolution = { operator: "kim", note: "seen", at: FIXTURE_TIME, remedy };
        await expectOk(stores.billExceptions.resolve(id, resolution));
        expect(await keptLines()).toHaveLength(2);
        expect(await reconcile()).toMatchObject({ open: 0 });
        expect(await keptLines()).toHaveLength(count);
      },
    );

    it.each([
      ["the amount of the refund", 100, "HEALED"],
      ["a smaller amount", 99, "OPEN"],
      ["a larger amount", 101, "OPEN"],
    ] as const)(
      "heals a refund that the wallet confirms only if the bill states %s",
      async (_, amount, state) => {
        const { days, refunds, paid, requested, reconcile, listed, account, stores } = fixture();
        const order = await paid();
        const refund = await requested(order, 100);
        const refundNo = outRefundNo(order, refund);
        const merchantId = account.accountId;
        refunds.set(refundNo, {
          state: "CONFIRMED",
          outTradeNo: order.id,
          refundNo,
          merchantId,
          amount: 100,
          evidence: anId(),
        });
        days.set(FIFTEENTH, { lines: [paymentLine(order), { ...refundLine(order, refund), amount }] });
        await reconcile();
        expect(await listed(state)).toEqual([`REFUND_NOT_HERE ${order.id} ${refundNo} ${amount} 100`]);
        // The wallet's response changes the refund in both cases.
        const [stored] = await expectOk(stores.refunds.list(order));
        expect(stored).toMatchObject({ status: "CONFIRMED", amount: 100 });
      },
    );

    it("does not heal a SETTLED refund that the bill lists as made, so that a person decides", async () => {
      const { days, refunds, paid, requested, reconcile, listed, account, stores } = fixture();
      const order = await paid();
      const refund = await refundMovedTo(stores, order, await requested(order, 100), "SETTLED");
      const refundNo = outRefundNo(order, refund);
      const facts = { outTradeNo: order.id, refundNo, merchantId: account.accountId, amount: 100 };
      days.set(FIFTEENTH, { lines: [paymentLine(order), refundLine(order, refund)] });
      for (const state of ["FAILED", "CONFIRMED"] as const) {
        refunds.set(refundNo, { state, ...facts, evidence: anId() });
        expect(await reconcile()).toMatchObject({ open: 1, healed: 0 });
        expect(await listed("OPEN")).toEqual([`REFUND_NOT_HERE ${order.id} ${refundNo} 100 100`]);
      }
      expect(await expectOk(stores.refunds.list(order))).toMatchObject([{ status: "SETTLED" }]);
    });

    it("adopts a refund of the wallet's console, once, and reports it on no other day", async () => {
      const { days, refunds, paid, reconcile, listed, account, stores } = fixture();
      const order = await paid();
      const refundNo = "50300000382026011500001";
      const line = { ...paymentLine(order), kind: "refund", refundNo } as const;
      days.set(FIFTEENTH, { lines: [paymentLine(order), line] });
      // A bill is not signed: without the wallet's confirmation, the difference stays.
      expect(await reconcile()).toMatchObject({ open: 1, healed: 0 });
      const facts = { outTradeNo: order.id, refundNo, merchantId: account.accountId, amount: 600 };
      refunds.set(refundNo, { state: "CONFIRMED", ...facts, evidence: anId() });
      expect(await reconcile()).toMatchObject({ open: 0, healed: 1 });
      expect(await listed("HEALED")).toEqual([`REFUND_NOT_HERE ${order.id} ${refundNo} 600 undefined`]);
      expect(await expectOk(stores.refunds.list(order))).toMatchObject([
        { refundNo: consoleRefundNo(refundNo), amount: 600, status: "CONFIRMED" },
      ]);
      expect(await expectOk(stores.orders.find(order))).toMatchObject({
        paymentStatus: "REFUND",
        refundedAmount: 600,
      });
      expect(await reconcile()).toMatchObject({ open: 0, healed: 0, gone: 0 });
      // The bill of the day of the adoption does not list the refund.
      expect(await listed("LISTED")).toEqual([`REFUND_NOT_THERE ${order.id} ${refundNo} 600 undefined`]);
    });

    it("heals a refund that the wallet made with another amount, and fails the stored refund with its number", async () => {
      const { days, refunds, paid, requested, reconcile, listed, account, stores } = fixture();
      const order = await paid();
      const refund = await requested(order, 100);
      const refundNo = outRefundNo(order, refund);
      const facts = { outTradeNo: order.id, refundNo, merchantId: account.accountId, amount: 60 };
      refunds.set(refundNo, { state: "CONFIRMED", ...facts, evidence: anId() });
      days.set(FIFTEENTH, { lines: [paymentLine(order), { ...refundLine(order, refund), amount: 60 }] });
      expect(await reconcile()).toMatchObject({ open: 0, healed: 1 });
      expect(await listed("HEALED")).toEqual([`REFUND_NOT_HERE ${order.id} ${refundNo} 60 100`]);
      const made = await expectOk(stores.refunds.list(order));
      expect(made.map(({ amount, status }) => `${status} ${String(amount)}`).sort()).toEqual([
        "CONFIRMED 60",
        "FAILED 100",
      ]);
      expect(await expectOk(stores.orders.find(order))).toMatchObject({ refundedAmount: 60 });
    });

    it("records the refund of a second payment, and does not change the payment on record", async () => {
      const { days, refunds, paid, reconcile, listed, account, stores } = fixture();
      const order = await paid();
      const refundNo = "50300000382026011500002";
      const line = { ...paymentLine(order), kind: "refund", refundNo } as const;
      days.set(FIFTEENTH, { lines: [paymentLine(order), line] });
      const facts = { outTradeNo: order.id, refundNo, merchantId: account.accountId, amount: 600 };
      refunds.set(refundNo, { state: "CONFIRMED", ...facts, walletTradeNo: "second", evidence: anId() });
      expect(await reconcile()).toMatchObject({ open: 0, healed: 1 });
      expect(await listed("HEALED")).toEqual([`REFUND_NOT_HERE ${order.id} ${refundNo} 600 undefined`]);
      expect(await expectOk(stores.refunds.list(order))).toEqual([]);
      expect(await expectOk(stores.orders.find(order))).toEqual(order);
      expect(await reconcile()).toMatchObject({ open: 0, healed: 1, gone: 0 });
      const noted = (await expectOk(stores.orders.timeline(order))).map(({ type }) => type);
      expect(noted.filter((type) => type === "SECOND_PAYMENT_REFUNDED")).toHaveLength(1);
    });

    it("skips only the lines that cannot be read", async () => {
      const { days, paid, reconcile, listed, exceptions } = fixture();
      const [plain, odd, missed] = [await paid(), await paid(700), await paid()];
      const stranger = { id: anId(), amount: 5 };
      const faulty = anUnreadableLine({ outTradeNo: odd.id });
      const unknown = anUnreadableLine({ at: 9 });
      const lines = [paymentLine(plain), faulty, unknown, paymentLine(stranger)];
      days.set(FIFTEENTH, { lines, totals: { unreadable: { lines: 2, paymentAmount: 800 } } });
      expect(await reconcile()).toMatchObject({
        totals: { payments: 2, unreadable: { lines: 2, paymentAmount: 800 } },
        open: 4,
      });
      // The order in the line is not reported as missing.
      expect(await listed()).toEqual(
        [
          `PAYMENT_NOT_HERE ${stranger.id}  5 undefined`,
          `PAYMENT_NOT_THERE ${missed.id}  undefined 600`,
          `UNREADABLE_LINE ${odd.id}  undefined 700`,
          `UNREADABLE_LINE   undefined undefined`,
        ].toSorted(),
      );
      const details = (await exceptions()).flatMap(({ detail }) => detail ?? []);
      expect(details.toSorted()).toEqual([`line 7: ${faulty.problem}`, `line 9: ${faulty.problem}`]);
      expect(await reconcile()).toMatchObject({ open: 4, gone: 0 });
    });

    it.each([
      ["a refund with its number", "refund", true, ["payment", "second"]],
      ["a line with a refund's number", undefined, true, ["payment", "second"]],
      ["any refund of the order", "refund", false, ["payment"]],
      ["the payment", "payment", false, ["first", "second"]],
      ["any line of the order", undefined, false, []],
    ] as const)(
      "reports an item as missing unless an unreadable line may be the item: %s",
      async (_, lineKind, numbered, missing) => {
        const { days, paid, refunded, reconcile, listed } = fixture();
        const order = await paid();
        const [first, second] = [await refunded(order, 100), await refunded(order, 200)];
        const [one, two] = [outRefundNo(order, first), outRefundNo(order, second)];
        const texts = {
          payment: `PAYMENT_NOT_THERE ${order.id}  undefined 600`,
          first: `REFUND_NOT_THERE ${order.id} ${one} undefined 100`,
          second: `REFUND_NOT_THERE ${order.id} ${two} undefined 200`,
        };
        days.set(FIFTEENTH, { lines: [] });
        expect(await reconcile()).toMatchObject({ open: 3 });
        const numbers = { outTradeNo: order.id, ...(numbered ? { refundNo: one } : {}) };
        days.set(FIFTEENTH, {
          lines: [anUnreadableLine({ ...numbers, ...(lineKind === undefined ? {} : { lineKind }) })],
        });
        // A missing item stays open unless the unreadable line may be the item.
        expect(await reconcile()).toMatchObject({ open: 1 + missing.length, gone: 3 - missing.length });
        expect((await listed()).filter((text) => text.includes("NOT_THERE"))).toEqual(
          missing.map((name) => texts[name]).toSorted(),
        );
      },
    );

    it("closes the exception of an unreadable line once a run reads the bill without it", async () => {
      const { days, paid, reconcile, listed } = fixture();
      const order = await paid();
      days.set(FIFTEENTH, { lines: [anUnreadableLine({ outTradeNo: order.id })] });
      expect(await reconcile()).toMatchObject({ open: 1 });
      days.set(FIFTEENTH, { lines: [paymentLine(order)] });
      expect(await reconcile()).toMatchObject({ open: 0, gone: 1 });
      expect(await listed("GONE")).toEqual([`UNREADABLE_LINE ${order.id}  undefined 600`]);
    });

    it("gives the exception of a single unreadable line its amount, and keeps the exception resolved", async () => {
      const { days, paid, reconcile, exceptions, stores } = fixture();
      const order = await paid();
      const totals: Partial<BillTotals> = { unreadable: { lines: 1, paymentAmount: 600, refundAmount: 0 } };
      days.set(FIFTEENTH, { lines: [anUnreadableLine({ outTradeNo: order.id })], totals });
      await reconcile();
      const [exception] = await exceptions();
      expect(exception).toMatchObject({
        kind: "UNREADABLE_LINE",
        amountThere: 600,
        amountHere: 600,
        statusHere: "PAID",
        order: { appId: order.appId, bizNo: order.bizNo },
      });
      const reading = { operator: "han", note: "read by hand", at: FIXTURE_TIME };
      const resolution = { ...reading, remedy: "settle" } as const;
      await expectOk(stores.billExceptions.resolve(exception?.id ?? "", resolution));
      expect(await reconcile()).toMatchObject({ open: 0, gone: 0 });
    });

    it("distinguishes unreadable lines by position and text, and skips another seller's", async () => {
      const { days, reconcile } = fixture();
      const digest = "0".repeat(64);
      const lines = [
        anUnreadableLine({ at: 2, digest }),
        anUnreadableLine({ at: 3, digest }),
        anUnreadableLine({ at: 4, outTradeNo: "shop-7" }),
      ];
      days.set(FIFTEENTH, { lines });
      expect(await reconcile()).toMatchObject({ totals: { unreadable: { lines: 3 } }, open: 2 });
    });

    it("is rejected as a whole if too many of its lines cannot be read", async () => {
      const { days, paid, refuse, reconcile, listed } = fixture();
      const most = defaultPolicy.maxUnreadableLines;
      const order = await paid();
      const faulty = (count: number) =>
        Array.from({ length: count }, (_, at) => anUnreadableLine({ at, outTradeNo: "shop-7" }));
      const plain = Array.from({ length: most }, (_, at) => paymentLine({ id: `shop-${at}`, amount: 1 }));
      const ours = paymentLine(order);
      days.set(FIFTEENTH, { lines: [ours, ...plain, ...faulty(most + 1)] });
      expect(await refuse()).toMatch(/too many of its lines .* may have changed the format of its bills/);
      days.set(FIFTEENTH, { lines: [ours, ...faulty(11)] });
      expect(await refuse()).toMatch(/too many of its lines/);
      expect(await listed()).toEqual([]);
      days.set(FIFTEENTH, { lines: [ours, ...faulty(10)] });
      expect(await reconcile()).toMatchObject({ open: 0 });
      days.set(FIFTEENTH, { lines: [ours, ...plain, ...faulty(most)] });
      expect(await reconcile()).toMatchObject({ open: 0 });
    });
  });
}
