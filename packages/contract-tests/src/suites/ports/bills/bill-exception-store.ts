import { BILL_EXCEPTION_KINDS } from "@tillkit/core";
import {
  type BillExceptionFilter,
  type BillExceptionPosition,
  type BillExceptionQuery,
  type BillExceptionState,
  type BillExceptionStore,
  type ComparedBill,
  type FoundException,
  FUND_FLOW_KINDS,
  TRADE_BILL_KINDS,
} from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  aComparedBill,
  aFoundException,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
  DAY,
  CONCURRENT_CALLERS,
} from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";

/** Tests every requirement of `BillExceptionStore`. `open` returns an empty store for each test. */
export function billExceptionStoreContract(
  adapter: string,
  open: () => Promise<Opened<BillExceptionStore>>,
): void {
  describe(`BillExceptionStore contract: ${adapter}`, () => {
    const store = openBeforeEach(open);
    const report = (...found: readonly FoundException[]) => expectOk(store().report(found));
    const list = (state: BillExceptionState = "OPEN", filter: Partial<BillExceptionQuery> = {}) =>
      expectOk(store().list({ state, limit: 100, ...filter }));
    const count = (state: BillExceptionState, filter: Partial<BillExceptionFilter> = {}, atMost = 100) =>
      expectOk(store().count({ state, ...filter }, atMost));
    const resolve = (id: string, at = FIXTURE_TIME + 5) =>
      store().resolve(id, { operator: "han", note: "paid by bank transfer", at, remedy: "settle" });
    const close = (asOf: number, limit = 100, day = "2026-01-15") =>
      expectOk(
        store().closeUnseen(
          { payChannel: "WALLET_A", appEnv: "DEV", accountId: "1900000001", day },
          { asOf, at: asOf + 1, kinds: TRADE_BILL_KINDS },
          limit,
        ),
      );
    /** Stores a new exception in `state`. */
    const stored = async (state: BillExceptionState, changes: Partial<FoundException> = {}) => {
      const kind = state === "LISTED" ? "PAYMENT_NOT_THERE" : "PAYMENT_NOT_HERE";
      const found = aFoundException({ kind, ...changes });
      await report(found);
      if (state === "HEALED") await expectOk(store().markHealed([found.id], FIXTURE_TIME));
      if (state === "GONE")
        await expectOk(
          store().closeUnseen(found, { asOf: FIXTURE_TIME + 1, at: FIXTURE_TIME + 1, kinds: [kind] }, 1),
        );
      if (state === "LISTED") await expectOk(store().markListed([found]));
      if (state === "RESOLVED") await expectOk(resolve(found.id));
      expect((await list(state)).items).toMatchObject([{ id: found.id }]);
      return found;
    };

    describe("report", () => {
      it("stores every member exactly, and keeps absent members absent", async () => {
        const full = aFoundException({
          payChannel: "WALLET_B",
          appEnv: "PROD",
          accountId: UNUSUAL_TEXT,
          kind: "REFUND_AMOUNT",
          refundNo: "r-1",
          walletTradeNo: "4200000001",
          amountThere: 10_000_000_000,
          amountHere: 1,
          statusHere: "CONFIRMED",
          detail: `line 7: ${UNUSUAL_TEXT}`,
          order: { appId: "app_1", bizNo: "b-1" },
        });
        const { amountThere: _none, ...spare } = aFoundException();
        for (const { at, ...facts } of [full, spare]) {
          const expected = { ...facts, state: "OPEN", gmtCreate: at, openedAt: at, gmtModified: at };
          expect(await report({ ...facts, at })).toStrictEqual([expected]);
          expect((await list()).items.find(({ id }) => id === facts.id)).toStrictEqual(expected);
        }
      });

      it("stores a difference once if it is found twice, with the latest facts and the first time", async () => {
        const found = aFoundException({ statusHere: "PENDING" });
        await report(found);
        const later = { ...found, statusHere: "CLOSE", asOf: FIXTURE_TIME + 9, at: FIXTURE_TIME + 10 };
        expect(await report(later)).toMatchObject([
          { statusHere: "CLOSE", gmtCreate: FIXTURE_TIME, gmtModified: FIXTURE_TIME + 10 },
        ]);
        expect((await list()).items).toHaveLength(1);
      });

      it("changes nothing that a later run has reported or marked as GONE", async () => {
        const found = aFoundException({ asOf: FIXTURE_TIME + 9, statusHere: "CLOSE" });
        await report(found);
        const earlier = { ...found, asOf: FIXTURE_TIME, statusHere: "PENDING" };
        expect(await report(earlier)).toMatchObject([{ statusHere: "CLOSE", asOf: FIXTURE_TIME + 9 }]);
        await close(FIXTURE_TIME + 20);
        expect(await report({ ...found, asOf: FIXTURE_TIME + 19 })).toMatchObject([{ state: "GONE" }]);
      });

      it.each(["HEALED", "GONE"] as const)("reopens an exception that was %s", async (state) => {
        const found = await stored(state);
        const again = { ...found, asOf: FIXTURE_TIME + 9, at: FIXTURE_TIME + 10 };
        expect(await report(again)).toMatchObject([{ state: "OPEN", openedAt: FIXTURE_TIME + 10 }]);
        // `openedAt` is kept, however often the exception is found again.
        expect(await report({ ...again, asOf: FIXTURE_TIME + 11, at: FIXTURE_TIME + 12 })).toMatchObject([
          { state: "OPEN", openedAt: FIXTURE_TIME + 10, gmtModified: FIXTURE_TIME + 12 },
        ]);
      });

      it("keeps an exception LISTED if another day's bill lists the payment", async () => {
        const found = await stored("LISTED");
        expect(await report({ ...found, asOf: FIXTURE_TIME + 9 })).toMatchObject([{ state: "LISTED" }]);
      });

      it("keeps an exception RESOLVED until an amount changes", async () => {
        const found = await stored("RESOLVED", { amountHere: 500 });
        const resolution = { operator: "han", note: "paid by bank transfer" };
        expect(await report({ ...found, asOf: FIXTURE_TIME + 8 })).toMatchObject([
          { state: "RESOLVED", ...resolution },
        ]);
        const changed = { ...found, amountHere: 501, asOf: FIXTURE_TIME + 9 };
        expect(await report(changed)).toMatchObject([{ state: "OPEN", amountHere: 501, ...resolution }]);
      });

      it(`stores each difference once if ${CONCURRENT_CALLERS} concurrent runs find it, as the latest run found it`, async () => {
        const found = [aFoundException(), aFoundException(), aFoundException()];
        await race(CONCURRENT_CALLERS, (caller) => {
          const seen = found.map((one) => ({ ...one, asOf: FIXTURE_TIME + caller, amountThere: caller }));
          return store().report(caller % 2 === 0 ? seen : seen.toReversed());
        });
        const { items } = await list();
        expect(items).toHaveLength(3);
        for (const item of items)
          expect(item).toMatchObject({
            asOf: FIXTURE_TIME + CONCURRENT_CALLERS - 1,
            amountThere: CONCURRENT_CALLERS - 1,
          });
      });

      it("accepts an empty list", async () => {
        expect(await report()).toEqual([]);
      });
    });

    describe("markListed", () => {
      const missing = (changes: Partial<FoundException> = {}) =>
        aFoundException({ kind: "PAYMENT_NOT_THERE", ...changes });

      it("marks a missing payment as LISTED, under the day of the bill that contains it", async () => {
        const found = missing();
        await report(found);
        await expectOk(store().markListed([{ ...found, day: "2026-01-16", at: FIXTURE_TIME + 3 }]));
        expect((await list("LISTED")).items).toMatchObject([
          { id: found.id, day: "2026-01-16", gmtModified: FIXTURE_TIME + 3 },
        ]);
      });

      it("also applies to a payment that is reported as missing only later", async () => {
        const found = missing();
        await expectOk(store().markListed([found]));
        expect(await report({ ...found, day: "2026-01-14", asOf: FIXTURE_TIME + DAY })).toMatchObject([
          { state: "LISTED" },
        ]);
      });

      it.each([
        ["GONE", "LISTED"],
        ["HEALED", "HEALED"],
        ["RESOLVED", "RESOLVED"],
      ] as const)("changes %s to %s", async (before, after) => {
        const found = await stored(before);
        await expectOk(store().markListed([found]));
        expect((await list(after)).items).toMatchObject([{ id: found.id }]);
      });

      it(`takes precedence over ${CONCURRENT_CALLERS} concurrent reports, in any order`, async () => {
        const found = [missing(), missing(), missing()];
        await race(CONCURRENT_CALLERS, (caller) =>
          caller % 2 === 0
            ? store().markListed(caller % 4 === 0 ? found : found.toReversed())
            : store()
                .report(found.map((one) => ({ ...one, asOf: FIXTURE_TIME + caller })))
                .map(() => undefined),
        );
        expect((await list("LISTED")).items).toHaveLength(3);
      });
    });

    describe("markHealed", () => {
      it("marks the OPEN exceptions, and returns how many", async () => {
        const [one, two, resolved] = [aFoundException(), aFoundException(), aFoundException()];
        await report(one, two, resolved);
        await expectOk(resolve(resolved.id));
        const ids = [one.id, resolved.id, "no-such-exception"];
        expect(await expectOk(store().markHealed(ids, FIXTURE_TIME + 7))).toBe(1);
        expect((await list("HEALED")).items).toMatchObject([{ id: one.id, gmtModified: FIXTURE_TIME + 7 }]);
        expect((await list()).items).toMatchObject([{ id: two.id }]);
        expect((await list("RESOLVED")).items).toMatchObject([{ id: resolved.id }]);
      });

      it(`counts each exception once in ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const found = aFoundException();
        await report(found);
        const counts = await race(CONCURRENT_CALLERS, () => store().markHealed([found.id], FIXTURE_TIME));
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
      });
    });

    describe("closeUnseen", () => {
      it("marks the exceptions of this bill from earlier runs as GONE, and returns how many", async () => {
        const old = aFoundException({ asOf: FIXTURE_TIME - 1 });
        const others = [
          aFoundException(),
          aFoundException({ asOf: FIXTURE_TIME - 1, day: "2026-01-14" }),
          aFoundException({ asOf: FIXTURE_TIME - 1, accountId: "1900000002" }),
          aFoundException({ asOf: FIXTURE_TIME - 1, appEnv: "PROD" }),
          aFoundException({ asOf: FIXTURE_TIME - 1, payChannel: "WALLET_B" }),
        ];
        await report(old, ...others);
        expect(await close(FIXTURE_TIME)).toBe(1);
        expect((await list("GONE")).items).toMatchObject([{ id: old.id, gmtModified: FIXTURE_TIME + 1 }]);
        expect((await list()).items).toHaveLength(others.length);
        expect(await close(FIXTURE_TIME)).toBe(0);
      });

      it("marks only the kinds that the run looked for", async () => {
        const found = BILL_EXCEPTION_KINDS.map((kind) => aFoundException({ kind, asOf: FIXTURE_TIME - 1 }));
        await report(...found);
        expect(await close(FIXTURE_TIME)).toBe(TRADE_BILL_KINDS.length);
        expect((await list()).items.map(({ kind }) => kind).toSorted()).toEqual(FUND_FLOW_KINDS.toSorted());
      });

      it("marks at most the limit", async () => {
        await report(aFoundException(), aFoundException(), aFoundException());
        expect(await close(FIXTURE_TIME + 1, 2)).toBe(2);
        expect(await close(FIXTURE_TIME + 1, 2)).toBe(1);
      });

      it.each(["HEALED", "LISTED", "RESOLVED"] as const)(
        "does not change an exception that is %s",
        async (state) => {
          await stored(state);
          expect(await close(FIXTURE_TIME + 9)).toBe(0);
        },
      );

      it(`never marks what a later run finds during ${CONCURRENT_CALLERS} concurrent calls`, async () => {
        const found = Array.from({ length: 5 }, () => aFoundException());
        await report(...found);
        const later = found.map((one) => ({ ...one, asOf: FIXTURE_TIME + 2 }));
        await race(CONCURRENT_CALLERS, (caller) =>
          caller % 2 === 0
            ? store().closeUnseen(
                { payChannel: "WALLET_A", appEnv: "DEV", accountId: "1900000001", day: "2026-01-15" },
                { asOf: FIXTURE_TIME + 1, at: FIXTURE_TIME + 1, kinds: TRADE_BILL_KINDS },
                3,
              )
            : store()
                .report(later)
                .map(() => 0),
        );
        expect((await list()).items).toHaveLength(5);
      });
    });

    it("lists and counts only the exceptions of the given apps", async () => {
      const ofApp = (appId: string) => aFoundException({ order: { appId, bizNo: "b-1" } });
      const [mine, third] = [ofApp("app_1"), ofApp('app_,{"3')];
      await report(mine, ofApp("app_2"), third, aFoundException());
      const listed = async (apps: readonly string[] | undefined, limit = 9) => {
        const page = await list("OPEN", { apps, limit });
        const total = await count("OPEN", { apps });
        return { ids: page.items.map(({ id }) => id).sort(), count: total.count };
      };
      expect(await listed(["app_1"])).toEqual({ ids: [mine.id], count: 1 });
      expect(await listed(["app_1", 'app_,{"3'])).toEqual({ ids: [mine.id, third.id].sort(), count: 2 });
      expect(await listed([])).toEqual({ ids: [], count: 0 });
      expect(await listed(["app_none"])).toEqual({ ids: [], count: 0 });
      expect(await listed(undefined)).toMatchObject({ count: 4 });
      expect(await listed(["app_1", "app_2"], 1)).toMatchObject({ count: 2 });
    });

    describe("resolve", () => {
      it("marks an OPEN exception once, with the operator and the note", async () => {
        const found = aFoundException();
        await report(found);
        const resolution = {
          state: "RESOLVED",
          operator: "han",
          note: "paid by bank transfer",
          remedy: "settle",
          gmtModified: FIXTURE_TIME + 5,
        };
        expect(await expectOk(resolve(found.id))).toMatchObject({ moved: true, exception: resolution });
        const other = { operator: "li", note: "no", at: FIXTURE_TIME + 6, remedy: "not-ours" } as const;
        const again = store().resolve(found.id, other);
        expect(await expectOk(again)).toMatchObject({ moved: false, exception: resolution });
      });

      it("returns undefined for an unknown id", async () => {
        expect(await expectOk(resolve("no-such-exception"))).toBeUndefined();
      });

      it("stores unusual text byte for byte", async () => {
        const found = aFoundException();
        await report(found);
        const resolution = { operator: UNUSUAL_TEXT, note: UNUSUAL_TEXT, remedy: "settle" } as const;
        const resolved = await expectOk(store().resolve(found.id, { ...resolution, at: FIXTURE_TIME }));
        expect(resolved?.exception).toMatchObject(resolution);
      });

      it("keeps an assigned order while later runs find no order, also with other amounts", async () => {
        const { order: _none, ...found } = aFoundException({ amountThere: 600 });
        await report(found);
        const order = { appId: "app_1", bizNo: "b-7" };
        const by = { operator: "han", note: "paid at the till", at: FIXTURE_TIME + 5 };
        const assigned = { ...by, remedy: "assign", order } as const;
        expect(await expectOk(store().resolve(found.id, assigned))).toMatchObject({
          moved: true,
          exception: { state: "RESOLVED", remedy: "assign", order },
        });
        await report({ ...found, asOf: found.asOf + 1 });
        expect(await expectOk(store().find(found.id))).toMatchObject({ state: "RESOLVED", order });
        await report({ ...found, amountThere: 700, asOf: found.asOf + 2 });
        expect(await expectOk(store().find(found.id))).toMatchObject({
          state: "OPEN",
          remedy: "assign",
          order,
        });
      });

      it("does not change the order of an exception that is closed without an order", async () => {
        const order = { appId: "app_1", bizNo: "b-7" };
        const found = aFoundException({ order });
        await report(found);
        const by = { operator: "han", note: "not ours", at: FIXTURE_TIME + 5 };
        const closed = await expectOk(store().resolve(found.id, { ...by, remedy: "not-ours" }));
        expect(closed?.exception).toMatchObject({ remedy: "not-ours", order });
      });

      it(`changes once for ${CONCURRENT_CALLERS} concurrent operators, while runs find it again`, async () => {
        const found = aFoundException();
        await report(found);
        const moved = await race(CONCURRENT_CALLERS, (caller) =>
          caller % 2 === 0
            ? resolve(found.id).map((resolved) => resolved?.moved === true)
            : store()
                .report([{ ...found, asOf: FIXTURE_TIME + caller }])
                .map(() => false),
        );
        expect(moved.filter((one) => one)).toHaveLength(1);
        expect((await list("RESOLVED")).items).toHaveLength(1);
      });
    });

    describe("find", () => {
      it("returns an exception in any state, or undefined", async () => {
        const found = await stored("RESOLVED");
        expect(await expectOk(store().find(found.id))).toMatchObject({ id: found.id, state: "RESOLVED" });
        expect(await expectOk(store().find("none"))).toBeUndefined();
      });
    });

    describe("list, count and openByKind", () => {
      it("return the exceptions in a state, last found first, and their number", async () => {
        const [third, first, second] = [
          aFoundException({ at: FIXTURE_TIME + 3 }),
          aFoundException({ at: FIXTURE_TIME + 1 }),
          aFoundException({ at: FIXTURE_TIME + 2 }),
        ];
        await report(third, first, second);
        const page = await list("OPEN", { limit: 2 });
        expect(page.items.map(({ id }) => id)).toEqual([third.id, second.id]);
        expect(await list("OPEN", { before: page.next, limit: 1 })).toMatchObject({
          items: [{ id: first.id }],
        });
        expect(await list("OPEN", { limit: 3 })).not.toHaveProperty("next");
        expect(await count("OPEN")).toEqual({ count: 3, isLeast: false });
        expect(await count("OPEN", {}, 2)).toEqual({ count: 2, isLeast: true });
      });

      it("count each kind of exception, up to a limit over all kinds", async () => {
        await report(
          aFoundException({ kind: "REFUND_AMOUNT", at: FIXTURE_TIME + 2 }),
          aFoundException({ kind: "PAYMENT_NOT_HERE", at: FIXTURE_TIME + 3 }),
          aFoundException({ kind: "REFUND_AMOUNT", at: FIXTURE_TIME + 1 }),
        );
        const refunds = { kind: "REFUND_AMOUNT", count: 2, oldestAt: FIXTURE_TIME + 1 };
        const payments = { kind: "PAYMENT_NOT_HERE", count: 1, oldestAt: FIXTURE_TIME + 3 };
        expect(await expectOk(store().openByKind(100))).toStrictEqual([payments, refunds]);
        expect(await expectOk(store().openByKind(2))).toStrictEqual([refunds]);
      });

      it("do not count closed exceptions", async () => {
        await stored("RESOLVED");
        expect(await expectOk(store().openByKind(100))).toEqual([]);
        expect(await list()).toEqual({ items: [] });
        expect(await count("OPEN")).toEqual({ count: 0, isLeast: false });
      });

      it.each([
        ["day", { day: "2026-02-01" }, [1, 3]],
        ["channel", { payChannel: "WALLET_B" }, [2, 3]],
        ["kind", { kind: "REFUND_AMOUNT" }, [1]],
        ["account", { accountId: "1900000002" }, [2]],
        ["app", { apps: ["app_2", "app_3"] }, [2]],
        ["order", { outTradeNo: "order-7" }, [2, 3]],
        ["order and day", { outTradeNo: "order-7", day: "2026-02-01" }, [3]],
        ["order of another app", { outTradeNo: "order-7", apps: ["app_1"] }, []],
        ["everything at once", { day: "2026-02-01", payChannel: "WALLET_A", kind: "REFUND_AMOUNT" }, [1]],
      ] as const)("select by %s, newest first, each exception on one page", async (_, filter, expected) => {
        const found = [
          aFoundException(),
          aFoundException({ day: "2026-02-01", kind: "REFUND_AMOUNT" }),
          aFoundException({
            payChannel: "WALLET_B",
            accountId: "1900000002",
            outTradeNo: "order-7",
            order: { appId: "app_2", bizNo: "b-2" },
          }),
          aFoundException({ day: "2026-02-01", payChannel: "WALLET_B", outTradeNo: "order-7" }),
        ].map((one, nth) => ({ ...one, at: FIXTURE_TIME + nth }));
        await report(...found);
        const wanted = expected.toReversed().map((nth) => found[nth]?.id);
        const ids: string[] = [];
        let before: BillExceptionPosition | undefined;
        do {
          const page = await list("OPEN", { ...filter, before, limit: 1 });
          ids.push(...page.items.map(({ id }) => id));
          before = page.next;
        } while (before !== undefined);
        expect(ids).toEqual(wanted);
        expect(await count("OPEN", filter)).toEqual({ count: wanted.length, isLeast: false });
      });
    });

    describe("recordCompared and listCompared", () => {
      const record = (changes: Partial<ComparedBill> = {}) => store().recordCompared(aComparedBill(changes));
      const listed = (from = "2026-01-01", until = "2026-01-31") =>
        expectOk(store().listCompared(from, until));

      it("returns each bill exactly, and keeps absent fees absent", async () => {
        const full = aComparedBill({
          payChannel: "WALLET_B",
          appEnv: "PROD",
          accountId: UNUSUAL_TEXT,
          day: "2026-01-16",
          matched: 10_000_000_000,
          fees: -7,
          asOf: FIXTURE_TIME + 1,
        });
        const { fees: _none, ...spare } = aComparedBill();
        for (const bill of [full, spare]) await expectOk(store().recordCompared(bill));
        expect(await listed()).toStrictEqual([spare, full]);
      });

      it("replaces the result of an earlier run, and not of a later run", async () => {
        await expectOk(record({ matched: 5, asOf: FIXTURE_TIME + 5 }));
        await expectOk(record({ matched: 4, asOf: FIXTURE_TIME + 4 }));
        expect(await listed()).toMatchObject([{ matched: 5 }]);
        const { fees: _none, ...later } = aComparedBill({ matched: 6, asOf: FIXTURE_TIME + 6 });
        await expectOk(store().recordCompared(later));
        expect(await listed()).toStrictEqual([later]);
        await expectOk(store().recordCompared(later));
        expect(await listed()).toStrictEqual([later]);
      });

      it(`keeps the result of the latest of ${CONCURRENT_CALLERS} concurrent runs`, async () => {
        await race(CONCURRENT_CALLERS, (caller) =>
          record({ matched: caller, asOf: FIXTURE_TIME + ((caller * 7) % CONCURRENT_CALLERS) }),
        );
        const asOf = FIXTURE_TIME + CONCURRENT_CALLERS - 1;
        const [only, ...others] = await listed();
        expect(others).toEqual([]);
        expect(only).toMatchObject({ asOf });
        expect(((only?.matched ?? 0) * 7) % CONCURRENT_CALLERS).toBe(CONCURRENT_CALLERS - 1);
      });

      it("lists the bills of the range, both days included, by day, channel, environment and account", async () => {
        const bills = [
          { day: "2026-01-14", accountId: "2" },
          { day: "2026-01-15", payChannel: "WALLET_A", appEnv: "DEV", accountId: "2" },
          { day: "2026-01-15", payChannel: "WALLET_A", appEnv: "PROD", accountId: "1" },
          { day: "2026-01-15", payChannel: "WALLET_B", appEnv: "DEV", accountId: "1" },
          { day: "2026-01-15", payChannel: "WALLET_B", appEnv: "DEV", accountId: "2" },
          { day: "2026-01-16", accountId: "1" },
        ] as const;
        for (const bill of bills.toReversed()) await expectOk(record(bill));
        expect(await listed("2026-01-14", "2026-01-16")).toMatchObject(bills);
        expect(await listed("2026-01-15", "2026-01-15")).toMatchObject(bills.slice(1, 5));
        expect(await listed("2026-01-17", "2026-01-31")).toEqual([]);
        expect(await listed("2026-01-16", "2026-01-14")).toEqual([]);
      });
    });

    describe("countByBill", () => {
      const counted = (from = "2026-01-01", until = "2026-01-31") =>
        expectOk(store().countByBill(from, until));
      const account = { payChannel: "WALLET_A", appEnv: "DEV", accountId: "1900000001" } as const;
      const bill = { ...account, day: "2026-01-15" };

      it("counts what is open and what is resolved, and no exception in another state", async () => {
        await report(aFoundException(), aFoundException());
        await stored("RESOLVED", { accountId: "2" });
        await stored("HEALED", { accountId: "3" });
        await stored("LISTED", { accountId: "4" });
        expect(await counted()).toStrictEqual([
          { ...bill, open: 2, resolved: 0 },
          { ...bill, accountId: "2", open: 0, resolved: 1 },
        ]);
      });

      it("follows an exception from open to resolved", async () => {
        const found = aFoundException();
        await report(found, aFoundException());
        await expectOk(resolve(found.id));
        expect(await counted()).toStrictEqual([{ ...bill, open: 1, resolved: 1 }]);
        await close(FIXTURE_TIME + 9);
        expect(await counted()).toStrictEqual([{ ...bill, open: 0, resolved: 1 }]);
      });

      it("counts each bill of the range, both days included, by day, channel, environment and account", async () => {
        const bills = [
          { ...bill, day: "2026-01-14", accountId: "2" },
          { ...bill, accountId: "2" },
          { ...bill, appEnv: "PROD", accountId: "1" },
          { ...bill, payChannel: "WALLET_B", accountId: "1" },
          { ...bill, day: "2026-01-16", accountId: "1" },
        ] as const;
        await report(...bills.toReversed().map((one) => aFoundException(one)));
        const expected = bills.map((one) => ({ ...one, open: 1, resolved: 0 }));
        expect(await counted("2026-01-14", "2026-01-16")).toStrictEqual(expected);
        expect(await counted("2026-01-15", "2026-01-15")).toStrictEqual(expected.slice(1, 4));
        expect(await counted("2026-01-17", "2026-01-31")).toEqual([]);
      });
    });
  });
}
