import { findTimelineBreak, type Stores } from "@tillkit/core";
import {
  type ApprovalDecision,
  type ApprovalRequestOutcome,
  type AuditEntry,
  type OperatorAccount,
  REFUND_APPROVAL_STATES,
  type RefundApproval,
  type RefundApprovalsQuery,
  type RefundKey,
} from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import {
  anEntry,
  aFoundException,
  anOrder,
  aRefund,
  CONCURRENT_CALLERS,
  DAY,
  FIXTURE_TIME,
  MINUTE,
  sha256,
  UNUSUAL_TEXT,
} from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";
import { anAuditEntry, anOperatorAccount } from "../../../support/operator-fixtures.js";
import {
  anApproval,
  approvalEntry,
  aRefundApproval,
  aRejection,
  decisionEntry,
  requestApproval,
} from "../../../support/refund-approval-fixture.js";
import { aPaidOrder, requestEntry } from "../../../support/stores/paid-order.js";

const DUE = FIXTURE_TIME + MINUTE;
const ORDER = { appId: "app_1", bizNo: "biz-1" };

/** Returns the approval that a request has stored or found. */
function storedOf(outcome: ApprovalRequestOutcome): RefundApproval {
  if (!("approval" in outcome)) throw new Error(`The request is ${outcome.kind}.`);
  return outcome.approval;
}

/** Tests every requirement of `RefundApprovalStore`. `open` returns empty stores for each test. */
export function refundApprovalStoreContract(adapter: string, open: () => Promise<Opened<Stores>>): void {
  describe(`RefundApprovalStore contract: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    const store = () => stores().refundApprovals;
    const insert = async (changes: Partial<RefundApproval> = {}) =>
      storedOf(await requestApproval(stores(), aRefundApproval(changes)));
    const decide = (key: RefundKey, decision: ApprovalDecision, audit?: AuditEntry) =>
      store().decide(key, decision, decisionEntry({ refundNo: key.refundNo }), audit);
    const stored = async ({ id }: RefundApproval) => expectOk(store().find(id));
    /**
     * Creates an account whose rights other operators granted. The entries of the grants are not in
     * `log`.
     */
    const account = async (
      name: string,
      makers: readonly string[],
      origin: "dashboard" | "cli" = "dashboard",
      state: Partial<OperatorAccount> = {},
    ) => {
      const grants = makers.map((by) => ({ by, at: FIXTURE_TIME, kind: "create", origin }) as const);
      const made = anAuditEntry({ operator: "maker" });
      await expectOk(stores().operators.insertOnce(anOperatorAccount({ ...state, name, grants }), made));
    };
    const anOrderOfApprovals = () =>
      expectOk(stores().orders.insertOnce(anOrder({ appId: "app_1", bizNo: "biz-1" }), anEntry()));
    const timeline = () => expectOk(stores().orders.timeline(ORDER));
    const types = async () => (await timeline()).map(({ type }) => type);
    const log = async () =>
      (await expectOk(stores().auditLog.read(0, 1_000))).filter(({ operator }) => operator !== "maker");
    const approve = async (key: RefundKey) => (await expectOk(decide(key, anApproval())))?.approval;

    describe("request", () => {
      it("stores the approval exactly as given", async () => {
        const texts = { bizNo: UNUSUAL_TEXT, reason: UNUSUAL_TEXT, requestedBy: UNUSUAL_TEXT };
        const approval = aRefundApproval({ ...texts, amount: Number.MAX_SAFE_INTEGER });
        expect(await requestApproval(stores(), approval)).toEqual({ kind: "requested", approval });
        expect(await stored(approval)).toEqual(approval);
        expect(await expectOk(store().find("none"))).toBeUndefined();
      });

      it("returns the existing approval of the refund unchanged, also after a decision", async () => {
        const first = await insert();
        const other = aRefundApproval({ amount: 1, requestedBy: "an" });
        expect(await requestApproval(stores(), other)).toEqual({ kind: "held", approval: first });
        const decided = await approve(first);
        expect(await requestApproval(stores(), other)).toEqual({ kind: "held", approval: decided });
        expect(await stored(other)).toBeUndefined();
      });

      it(`stores one approval for ${CONCURRENT_CALLERS} concurrent requests of a refund`, async () => {
        const audit = anAuditEntry({ action: "refund.request" });
        await anOrderOfApprovals();
        const made = await race(CONCURRENT_CALLERS, (caller) =>
          store().request(
            aRefundApproval({ requestedBy: `operator ${caller}` }),
            approvalEntry(),
            undefined,
            audit,
          ),
        );
        expect(made.filter(({ kind }) => kind === "requested")).toHaveLength(1);
        expect(new Set(made.map((one) => storedOf(one).id)).size).toBe(1);
        expect(await expectOk(stores().auditLog.read(0, 1_000))).toMatchObject([audit]);
        expect(await types()).toEqual(["CREATED", "REFUND_APPROVAL_REQUESTED"]);
      });

      it(`stores one of ${CONCURRENT_CALLERS} concurrent requests that have seen the same events`, async () => {
        await anOrderOfApprovals();
        const requests = await race(CONCURRENT_CALLERS, (caller) =>
          store().request(aRefundApproval({ refundNo: `r-${caller}` }), approvalEntry(), 1, anAuditEntry()),
        );
        expect(requests.filter(({ kind }) => kind === "requested")).toHaveLength(1);
        expect(requests.filter(({ kind }) => kind === "changed")).toHaveLength(CONCURRENT_CALLERS - 1);
        expect(await log()).toHaveLength(1);
        const again = await expectOk(
          store().request(aRefundApproval({ refundNo: "new" }), approvalEntry(), 2),
        );
        expect(again).toMatchObject({ kind: "requested" });
      });

      it("stores either a request or a concurrent refund if both have seen the same events", async () => {
        const order = await aPaidOrder(stores(), { appId: "app_1", bizNo: "biz-1" });
        const seen = (await types()).length;
        const outcomes = await race(CONCURRENT_CALLERS, (caller) => {
          const refundNo = `r-${caller}`;
          return caller % 2 === 0
            ? store()
                .request(aRefundApproval({ refundNo }), approvalEntry(), seen)
                .map(({ kind }) => kind)
            : stores()
                .refunds.request(aRefund({ ...ORDER, refundNo, amount: 1 }), requestEntry(), seen)
                .map(({ kind }) => kind);
        });
        expect(outcomes.filter((kind) => kind === "requested")).toHaveLength(1);
        expect(outcomes.filter((kind) => kind === "changed")).toHaveLength(CONCURRENT_CALLERS - 1);
        expect(findTimelineBreak(sha256, order.id, await timeline())).toBeUndefined();
      });

      it("stores nothing for an order that does not exist", async () => {
        const none = await expectOk(store().request(aRefundApproval(), approvalEntry()));
        expect(none).toEqual({ kind: "no-order" });
        expect(await expectOk(store().listOfOrder(ORDER))).toEqual([]);
      });
    });

    it("lists the approvals of an order, the first request first", async () => {
      const later = await insert({ refundNo: "r-1", requestedAt: FIXTURE_TIME + 1 });
      const second = await insert({ refundNo: "r-3" });
      const first = await insert({ refundNo: "r-2" });
      await insert({ bizNo: "biz-2" });
      await insert({ appId: "app_2" });
      const key = { appId: "app_1", bizNo: "biz-1" };
      expect(await expectOk(store().listOfOrder(key))).toEqual([first, second, later]);
      expect(await expectOk(store().listOfOrder({ ...key, bizNo: "none" }))).toEqual([]);
    });

    it("reads what decides about a refund of an order", async () => {
      const order = await aPaidOrder(stores());
      const { appId, bizNo } = order;
      const key = { appId, bizNo };
      expect(await expectOk(store().readRefundFacts(key, 2))).toEqual({
        ...(await expectOk(stores().refunds.readRecord(key))),
        approvals: [],
        exceptions: [],
      });
      await requestApproval(stores(), aRefundApproval({ ...key, refundNo: "r-2" }));
      await expectOk(
        stores().refunds.request(aRefund({ ...key, refundNo: "r-1", amount: 1 }), requestEntry()),
      );
      const found = ["old", "new", "newest"].map((id, nth) =>
        aFoundException({ id, outTradeNo: order.id, at: FIXTURE_TIME + nth }),
      );
      const closed = aFoundException({ id: "closed", outTradeNo: order.id });
      const others = aFoundException({ id: "others", outTradeNo: `${order.id}0` });
      await expectOk(stores().billExceptions.report([...found, closed, others]));
      await expectOk(
        stores().billExceptions.resolve("closed", {
          operator: "li",
          note: "checked",
          at: FIXTURE_TIME,
          remedy: "not-ours",
        }),
      );
      const facts = await expectOk(store().readRefundFacts(key, 2));
      expect(facts).toEqual({
        ...(await expectOk(stores().refunds.readRecord(key))),
        approvals: await expectOk(store().listOfOrder(key)),
        exceptions: (
          await expectOk(stores().billExceptions.list({ state: "OPEN", outTradeNo: order.id, limit: 2 }))
        ).items,
      });
      expect(facts?.refunds.map(({ refundNo }) => refundNo)).toEqual(["r-1"]);
      expect(facts?.approvals.map(({ refundNo }) => refundNo)).toEqual(["r-2"]);
      expect(facts?.exceptions.map(({ id }) => id)).toEqual(["newest", "new"]);
      expect(await expectOk(store().readRefundFacts({ ...key, bizNo: "unknown" }, 2))).toBeUndefined();
      expect(await expectOk(store().readRefundFacts({ ...key, appId: "unknown" }, 2))).toBeUndefined();
    });

    describe("decide", () => {
      it("moves a WAITING approval to APPROVED, with its next try", async () => {
        const waiting = await insert();
        const approval = {
          ...waiting,
          state: "APPROVED",
          nextTryAt: DUE,
          decidedBy: "han",
          decidedAt: FIXTURE_TIME + 1,
          note: "checked",
        };
        expect(await expectOk(decide(waiting, anApproval()))).toEqual({ kind: "decided", approval });
        expect(await stored(waiting)).toEqual(approval);
      });

      it("moves a WAITING approval to REJECTED, without a next try", async () => {
        const waiting = await insert();
        const outcome = await expectOk(decide(waiting, aRejection()));
        expect(outcome).toMatchObject({ kind: "decided", approval: { state: "REJECTED", decidedBy: "han" } });
        expect(await stored(waiting)).not.toHaveProperty("nextTryAt");
        expect(await stored(waiting)).toEqual(outcome?.approval);
      });

      it("appends one event to the timeline of the order, also after refused and repeated decisions", async () => {
        const waiting = await insert();
        await expectOk(decide(waiting, anApproval({ operator: "li" })));
        await expectOk(decide(waiting, anApproval()));
        await expectOk(decide(waiting, anApproval({ operator: "an" })));
        expect(await types()).toEqual(["CREATED", "REFUND_APPROVAL_REQUESTED", "REFUND_APPROVED"]);
        const [created] = await timeline();
        expect(findTimelineBreak(sha256, created?.previousHash ?? "", await timeline())).toBeUndefined();
      });

      it("changes nothing if the timeline has grown since the operator has read it", async () => {
        const waiting = await insert();
        const seen = (await types()).length;
        await insert({ refundNo: "r-2" });
        const decision = anApproval({ seen });
        const audit = anAuditEntry();
        expect(await expectOk(decide(waiting, decision, audit))).toEqual({
          kind: "changed",
          approval: waiting,
        });
        expect(await stored(waiting)).toEqual(waiting);
        expect(await log()).toEqual([]);
        const again = await expectOk(decide(waiting, { ...decision, seen: seen + 1 }));
        expect(again).toMatchObject({ kind: "decided" });
      });

      it("stores one of several concurrent decisions about one order that have seen the same events", async () => {
        const requests: RefundApproval[] = [];
        for (let nth = 0; nth < CONCURRENT_CALLERS; nth += 1)
          requests.push(await insert({ refundNo: `r-${nth}` }));
        const seen = (await types()).length;
        const made = await race(CONCURRENT_CALLERS, (caller) =>
          decide(requests[caller] ?? aRefundApproval(), anApproval({ seen })),
        );
        expect(made.filter((one) => one?.kind === "decided")).toHaveLength(1);
        expect(made.filter((one) => one?.kind === "changed")).toHaveLength(CONCURRENT_CALLERS - 1);
      });

      it.each([
        ["approves", anApproval],
        ["rejects", aRejection],
      ])("changes nothing if the operator who requested the refund %s it", async (_, decision) => {
        const waiting = await insert();
        const audit = anAuditEntry();
        const own = await expectOk(decide(waiting, decision({ operator: "li" }), audit));
        expect(own).toEqual({ kind: "own", approval: waiting });
        expect(await stored(waiting)).toEqual(waiting);
        expect(await expectOk(stores().auditLog.read(0, 10))).toEqual([]);
      });

      it.each([
        ["an account that the requester created", "li", { han: ["li"] }],
        ["the account that created the requester's", "li", { li: ["han"] }],
        ["an account at the end of a chain of accounts", "li", { an: ["LI "], han: ["an"] }],
        ["an account that a third operator created, as the requester's", "li", { li: ["an"], han: ["an"] }],
        ["the same name in another case", "HAN", {}],
      ])("refuses %s", async (_, requestedBy, accounts) => {
        for (const [name, makers] of Object.entries(accounts)) await account(name, makers);
        const waiting = await insert({ requestedBy });
        for (const decision of [anApproval(), aRejection()]) {
          const audit = anAuditEntry();
          const refused = await expectOk(decide(waiting, decision, audit));
          if (requestedBy === "HAN") expect(refused).toEqual({ kind: "own", approval: waiting });
          else {
            const until = FIXTURE_TIME + DAY;
            expect(refused).toEqual({ kind: "one-person", approval: waiting, until });
          }
        }
        expect(await stored(waiting)).toEqual(waiting);
        expect(await log()).toEqual([]);
      });

      it.each([
        ["disabled", { disabled: true, lastDisabledAt: FIXTURE_TIME }],
        ["with a generated password", { mustChangePassword: true }],
        ["of another app", { apps: ["app_2"] }],
        ["of another role", { role: "viewer" }],
      ] as const)("counts the grants of an account %s", async (_, state) => {
        await account("an", ["li"], "dashboard", state);
        await account("han", ["an"]);
        await account("kim", ["han"], "dashboard", state);
        for (const requestedBy of ["li", "kim"]) {
          const waiting = await insert({ refundNo: `r-${requestedBy}`, requestedBy });
          const refused = await expectOk(decide(waiting, anApproval({ operator: "han" })));
          expect(refused).toMatchObject({ kind: "one-person" });
        }
      });

      it("accepts an account that the requester created before the period, or on the command line", async () => {
        await account("han", ["li"]);
        const late = anApproval({ at: FIXTURE_TIME + DAY });
        expect(await expectOk(decide(await insert(), late))).toMatchObject({ kind: "decided" });
        await account("an", ["li"], "cli");
        const other = await insert({ refundNo: "r-2" });
        const decided = await expectOk(decide(other, anApproval({ operator: "an" })));
        expect(decided).toMatchObject({ kind: "decided" });
      });

      it("refuses an account that the requester resets at the same time, unless the account decides before the reset", async () => {
        await account("han", []);
        const waiting = await Promise.all(
          Array.from({ length: CONCURRENT_CALLERS }, (_, nth) => insert({ refundNo: `r-${nth}` })),
        );
        const change = { passwordHash: "next", mustChangePassword: true, removesSecondFactor: true };
        const reset = anAuditEntry({ operator: "li", action: "operator.reset" });
        await race(CONCURRENT_CALLERS + 1, (caller) => {
          const one = waiting[caller];
          return one === undefined
            ? stores()
                .operators.setPassword("han", { ...change, at: FIXTURE_TIME }, reset)
                .map(() => undefined)
            : decide(one, anApproval(), anAuditEntry({ operator: "han" }));
        });
        // The log has the order in which the changes took effect.
        const order = (await log())
          .filter(({ action, operator }) => action === "operator.reset" || operator === "han")
          .map(({ operator }) => operator);
        expect(order.lastIndexOf("han")).toBeLessThan(order.indexOf("li"));
        const after = await insert({ refundNo: "after" });
        expect(await expectOk(decide(after, anApproval()))).toMatchObject({ kind: "one-person" });
      });

      it("never changes a decision", async () => {
        const [approved, rejected] = [await insert({ refundNo: "r-1" }), await insert({ refundNo: "r-2" })];
        await approve(approved);
        await expectOk(decide(rejected, aRejection()));
        for (const decision of [anApproval({ operator: "an" }), aRejection({ operator: "an" })]) {
          for (const [one, state] of [
            [approved, "APPROVED"],
            [rejected, "REJECTED"],
          ] as const) {
            const again = await expectOk(decide(one, decision));
            expect(again).toMatchObject({ kind: "not-waiting", approval: { state, decidedBy: "han" } });
            expect(await stored(one)).toEqual(again?.approval);
          }
        }
      });

      it("returns undefined for an unknown refund", async () => {
        const waiting = await insert();
        const key = { ...waiting, refundNo: "none" };
        expect(await expectOk(decide(key, anApproval()))).toBeUndefined();
        expect(await expectOk(decide({ ...waiting, appId: "app_2" }, anApproval()))).toBeUndefined();
        expect(await stored(waiting)).toEqual(waiting);
      });

      it(`stores one of ${CONCURRENT_CALLERS} concurrent decisions, and its audit entry`, async () => {
        const waiting = await insert();
        const made = await race(CONCURRENT_CALLERS, (caller) => {
          const operator = `operator ${caller}`;
          const decision = (caller % 2 === 0 ? anApproval : aRejection)({ operator });
          return decide(waiting, decision, anAuditEntry({ operator }));
        });
        const winners = made.filter((one) => one?.kind === "decided");
        expect(winners).toHaveLength(1);
        const after = await stored(waiting);
        expect(made.map((one) => one?.approval)).toEqual(made.map(() => after));
        const logged = await expectOk(stores().auditLog.read(0, 1_000));
        expect(logged.map(({ operator }) => operator)).toEqual([after?.decidedBy]);
      });
    });

    describe("list", () => {
      it("returns the approvals of one state in pages, the latest request first", async () => {
        const waiting = [];
        for (const nth of [0, 1, 2, 3, 4])
          waiting.push(
            await insert({
              id: `a-${nth}`,
              refundNo: `r-${nth}`,
              requestedAt: FIXTURE_TIME + Math.floor(nth / 2),
            }),
          );
        const approved = await insert({ refundNo: "r-9" });
        await approve(approved);
        const query = { states: ["WAITING"], limit: 2 } as const;
        const pages: (readonly RefundApproval[])[] = [];
        for (;;) {
          const page = await expectOk(store().list({ ...query, before: pages.at(-1)?.at(-1) }));
          if (page.length === 0) break;
          pages.push(page);
        }
        expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
        expect(pages.flat()).toEqual(waiting.toReversed());
        const list = async (changes: Partial<RefundApprovalsQuery>) =>
          (await expectOk(store().list({ states: ["APPROVED", "REJECTED"], limit: 9, ...changes }))).map(
            ({ refundNo }) => refundNo,
          );
        expect(await list({ states: ["APPROVED"] })).toEqual(["r-9"]);
        expect(await list({ states: ["REJECTED"] })).toEqual([]);
        const [first, second] = waiting;
        if (first === undefined || second === undefined) throw new Error("Nothing waits.");
        await expectOk(decide(first, aRejection()));
        expect(await list({})).toEqual(["r-9", "r-0"]);
        expect(await list({ states: [...REFUND_APPROVAL_STATES], limit: 2 })).toEqual(["r-4", "r-3"]);
        expect(await list({ notMade: true })).toEqual([]);
        await expectOk(store().end(approved, "order.refunded"));
        expect(await list({ notMade: true })).toEqual(["r-9"]);
        await insert({ refundNo: "r-10", requestedBy: "an" });
        await insert({ refundNo: "r-11", requestedBy: "ＡN" });
        for (const requestedBy of ["an", "An "])
          expect(await list({ states: ["WAITING"], requestedBy })).toEqual(["r-11", "r-10"]);
        expect(await list({ states: ["WAITING"], requestedBy: "none" })).toEqual([]);
      });

      it("returns and counts only the approvals of the given apps", async () => {
        const mine = await insert({ id: "a-1" });
        const other = await insert({ id: "a-2", appId: "app_2" });
        await insert({ id: "a-3", appId: "app_3" });
        const list = (apps?: readonly string[]) =>
          expectOk(store().list({ states: ["WAITING"], apps, limit: 9 }));
        expect(await list(["app_1"])).toEqual([mine]);
        expect(await list(["app_2", "app_1", "none"])).toEqual([other, mine]);
        expect(await list([])).toEqual([]);
        expect(await list()).toHaveLength(3);
        const count = (apps?: readonly string[]) => expectOk(store().countWaiting(apps, 9));
        expect([await count(["app_1"]), await count([]), await count()]).toEqual([1, 0, 3]);
      });
    });

    it("counts the waiting approvals up to a limit", async () => {
      const approvals = await Promise.all([0, 1, 2, 3].map((nth) => insert({ refundNo: `r-${nth}` })));
      for (const [nth, approval] of approvals.slice(0, 2).entries())
        await expectOk(decide(approval, nth === 0 ? anApproval() : aRejection()));
      expect(await expectOk(store().countWaiting(undefined, 10))).toBe(2);
      expect(await expectOk(store().countWaiting(undefined, 1))).toBe(1);
    });

    describe("the work of the reconciler", () => {
      it("claims approved refunds that are due, the earliest due first", async () => {
        for (const [refundNo, nextTryAt] of [
          ["r-1", DUE],
          ["r-2", DUE - 1],
          ["r-3", DUE + 1],
        ] as const) {
          const to = { state: "APPROVED", nextTryAt } as const;
          await expectOk(decide(await insert({ refundNo }), anApproval({ to })));
        }
        await expectOk(decide(await insert({ refundNo: "r-4" }), aRejection()));
        await insert({ refundNo: "r-5" });
        const claimed = await expectOk(store().claimDue(DUE, 10, MINUTE));
        expect(claimed).toMatchObject([
          { refundNo: "r-2", nextTryAt: DUE + MINUTE },
          { refundNo: "r-1", nextTryAt: DUE + MINUTE },
        ]);
        expect(await expectOk(store().claimDue(DUE, 10, MINUTE))).toEqual([]);
        expect(await expectOk(store().claimDue(DUE + MINUTE, 1, MINUTE))).toHaveLength(1);
      });

      it("assigns each due refund to one of several concurrent workers", async () => {
        for (const nth of Array.from({ length: 8 }, (_, index) => index))
          await approve(await insert({ refundNo: `r-${nth}` }));
        const claimed = await race(4, () => store().claimDue(DUE, 3, MINUTE));
        const numbers = claimed.flat().map(({ refundNo }) => refundNo);
        expect(numbers).toHaveLength(8);
        expect(new Set(numbers).size).toBe(8);
      });

      it("schedules the next try of an approved refund, and of no other refund", async () => {
        const approval = await insert();
        await expectOk(store().schedule(approval, DUE));
        expect(await stored(approval)).toEqual(approval);
        const approved = await approve(approval);
        await expectOk(store().schedule(approval, DUE + 5));
        expect(await stored(approval)).toEqual({ ...approved, nextTryAt: DUE + 5 });
        await expectOk(store().end(approval));
        await expectOk(store().schedule(approval, DUE + 9));
        expect(await stored(approval)).not.toHaveProperty("nextTryAt");
      });

      it("schedules the next try of an approved refund that has failed, and removes its failure", async () => {
        const approval = await insert();
        const approved = await approve(approval);
        await expectOk(store().end(approval, "order.refunded"));
        await expectOk(store().schedule(approval, DUE + 5));
        expect(await stored(approval)).toEqual({ ...approved, nextTryAt: DUE + 5 });
        expect(await expectOk(store().claimDue(DUE + 5, 10, MINUTE))).toHaveLength(1);
      });

      it("ends the tries of an approved refund, with its failure or without", async () => {
        const approval = await insert();
        await expectOk(store().end(approval, "order.refunded"));
        expect(await stored(approval)).toEqual(approval);
        const { nextTryAt: _due, ...approved } = (await approve(approval)) ?? approval;
        await expectOk(store().end(approval, "order.refunded"));
        expect(await stored(approval)).toEqual({ ...approved, failure: "order.refunded" });
        expect(await expectOk(store().claimDue(DUE, 10, MINUTE))).toEqual([]);
        await expectOk(store().end(approval));
        expect(await stored(approval)).toEqual(approved);
      });
    });
  });
}
