import type { Stores } from "@tillkit/core";
import type { AuditEntry } from "@tillkit/core/ports";
import type { ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import {
  anAccount,
  anEntry,
  anOrder,
  anAdoption,
  aClient,
  aCount,
  aFoundException,
  aHash,
  anApp,
  aSecret,
  aSettlement,
  aServiceType,
  aWithdrawal,
  CONCURRENT_CALLERS,
  FIXTURE_TIME,
} from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";
import { anAuditEntry, anOperatorAccount, anOperatorSession } from "../../../support/operator-fixtures.js";
import {
  anApproval,
  approvalEntry,
  aRefundApproval,
  decisionEntry,
  requestApproval,
} from "../../../support/refund-approval-fixture.js";
import { aPaidOrder, aRequestedRefund } from "../../../support/stores/paid-order.js";
import { refundMovedTo } from "../../../support/stores/refund-moved-to.js";

const APP = anApp();
const { appId } = APP;
const TYPE = aServiceType({ appId });
const SOLD = aServiceType({ appId, serviceTypeNo: "sold" });
const RETIRED = aServiceType({ appId, serviceTypeNo: "retired", retiredAt: FIXTURE_TIME });
const CLIENT = aClient({ appId });
const LIMITED = aClient({ appId, dailyLimit: 10 });
const ROTATED = aClient({ appId, dailyLimit: 10 });
const SUCCESSOR = aClient({ appId, dailyLimit: 10 });
const COUNTED = { appId, store: "store_01", from: aCount().date, until: aCount().date };
const PAY_TOOL = anAccount({ appId, payChannel: "WALLET_B" });
const EXCEPTION = aFoundException();
const ORDER = { appId, bizNo: "biz-1" };
const REFUND_NO = "refund-1";
const OPEN_REFUND_NO = "refund-2";
const ACKNOWLEDGEMENT = {
  type: "ALARM_ACKNOWLEDGED",
  at: FIXTURE_TIME,
  actor: "operator:han",
  reason: "settled with the customer",
  evidence: "1",
  alarm: false,
} as const;
const ADOPTION = anAdoption(ORDER);
const IMPORTED = anOrder({ appId, payToolId: "" });
const IMPORTED_SERVICE = {
  appId,
  customerIdentity: "customer-1",
  serviceTypeNo: "T-old",
  serviceNo: "S-1",
  serviceName: "Old",
  expireTime: FIXTURE_TIME,
  gmtCreate: FIXTURE_TIME,
};
const APPROVAL = aRefundApproval(ORDER);
const RESOLUTION = { operator: "han", note: "settled", at: FIXTURE_TIME, remedy: "settle" } as const;

type Change = (stores: Stores, audit?: AuditEntry) => ResultAsync<unknown, { readonly name: string }>;

/** Changes that take effect once: a repetition changes nothing. */
const ONCE: Readonly<Record<string, Change>> = {
  "apps.insertOnce": ({ apps }, audit) => apps.insertOnce(anApp({ appId: "new" }), audit),
  "serviceTypes.insertOnce": ({ serviceTypes }, audit) => serviceTypes.insertOnce(TYPE, audit),
  "sessions.movePhones": ({ sessions }, audit) =>
    sessions.movePhones(appId, [{ phoneHash: "v1:new", to: "customer-1" }], FIXTURE_TIME, audit),
  "serviceTypes.retire": ({ serviceTypes }, audit) =>
    serviceTypes.retire(appId, SOLD.serviceTypeNo, FIXTURE_TIME, audit),
  "serviceTypes.restore": ({ serviceTypes }, audit) =>
    serviceTypes.restore(appId, RETIRED.serviceTypeNo, audit),
  "downloadsClients.insertOnce": ({ downloadsClients }, audit) => downloadsClients.insertOnce(CLIENT, audit),
  "downloadsClients.change": ({ downloadsClients }, audit) =>
    downloadsClients.change(LIMITED.clientId, LIMITED, { dailyLimit: 20 }, audit),
  "downloadsClients.succeed": ({ downloadsClients }, audit) =>
    downloadsClients.succeed(ROTATED.clientId, ROTATED, FIXTURE_TIME, SUCCESSOR, audit),
  "downloads.changeStores, add": ({ downloads }, audit) =>
    downloads.changeStores({ kind: "add", store: "new" }, false, audit),
  "downloads.changeStores, alias": ({ downloads }, audit) =>
    downloads.changeStores({ kind: "alias", alias: "other", store: "store_01" }, false, audit),
  "downloads.changeStores, rename": ({ downloads }, audit) =>
    downloads.changeStores({ kind: "rename", store: "store_01", to: "other" }, false, audit),
  "downloads.changeStores, merge": ({ downloads }, audit) =>
    downloads.changeStores({ kind: "merge", store: "store_01", into: "store_02", days: "sum" }, false, audit),
  "downloads.changeDays, set": ({ downloads }, audit) =>
    downloads.changeDays(COUNTED, { newDownloads: 1, updateDownloads: 1 }, false, audit),
  "downloads.changeDays, delete": ({ downloads }, audit) =>
    downloads.changeDays(COUNTED, "delete", false, audit),
  "payTools.replace": ({ payTools }, audit) =>
    payTools.replace(PAY_TOOL, { ...PAY_TOOL, appName: "Other" }, audit),
  "billExceptions.resolve": ({ billExceptions }, audit) =>
    billExceptions.resolve(EXCEPTION.id, RESOLUTION, audit),
  "refunds.settle": ({ refunds }, audit) => refunds.settle(ORDER, REFUND_NO, aSettlement(), audit),
  "refunds.withdraw": ({ refunds }, audit) => refunds.withdraw(ORDER, OPEN_REFUND_NO, aWithdrawal(), audit),
  "refunds.adopt": ({ refunds }, audit) => refunds.adopt(ADOPTION, audit),
  "orders.record": ({ orders }, audit) => orders.record(ORDER, ACKNOWLEDGEMENT, audit),
  "orders.recordShipment": ({ orders }, audit) =>
    orders.recordShipment(ORDER, anEntry({ type: "SHIPMENT_REPORTED", evidence: "1" }), undefined, audit),
  "orders.replaceImported": ({ orders }, audit) =>
    orders.replaceImported(IMPORTED, { ...IMPORTED, amount: 1 }, anEntry({ type: "IMPORTED" }), audit),
  "services.replaceImported": ({ services }, audit) =>
    services.replaceImported(IMPORTED_SERVICE, { ...IMPORTED_SERVICE, serviceNo: "S-2" }, audit),
  "refundApprovals.request": ({ refundApprovals }, audit) =>
    refundApprovals.request(
      aRefundApproval({ ...ORDER, refundNo: "new" }),
      approvalEntry(),
      undefined,
      audit,
    ),
  "refundApprovals.decide": ({ refundApprovals }, audit) =>
    refundApprovals.decide(APPROVAL, anApproval(), decisionEntry(), audit),
};

/** Changes that take effect each time. */
const EACH_TIME: Readonly<Record<string, Change>> = {
  "apps.addSecret": ({ apps }, audit) => apps.addSecret(appId, aSecret(), FIXTURE_TIME, audit),
  "apps.setDisabled": ({ apps }, audit) => apps.setDisabled(appId, true, FIXTURE_TIME, audit),
  "apps.setRules": ({ apps }, audit) => apps.setRules(appId, { accountBased: false }, FIXTURE_TIME, audit),
  "payTools.put": ({ payTools }, audit) => payTools.put(anAccount({ appId }), audit),
  "serviceTypes.rename": ({ serviceTypes }, audit) =>
    serviceTypes.rename(appId, SOLD.serviceTypeNo, "Other", audit),
};

/** Changes of operators and their sessions, which are always audited. The account `li` exists. */
const OF_OPERATORS: Readonly<
  Record<string, (stores: Stores, audit: AuditEntry) => ResultAsync<unknown, { readonly name: string }>>
> = {
  "operators.insertOnce": ({ operators }, audit) =>
    operators.insertOnce(anOperatorAccount({ name: "new" }), audit),
  "operators.setPassword": ({ operators }, audit) =>
    operators.setPassword(
      "li",
      { passwordHash: "next", mustChangePassword: false, removesSecondFactor: false, at: FIXTURE_TIME },
      audit,
    ),
  "operators.setSecondFactor": ({ operators }, audit) =>
    operators.setSecondFactor(
      "li",
      {
        tokenHash: anOperatorSession().tokenHash,
        factor: { totpSecret: "KEY", totpLastStep: 1 },
        at: FIXTURE_TIME,
      },
      audit,
    ),
  "operators.setRole": ({ operators }, audit) =>
    operators.setRole({ name: "li", role: "finance" }, FIXTURE_TIME, audit),
  "operators.setDisabled": ({ operators }, audit) => operators.setDisabled("li", true, FIXTURE_TIME, audit),
  "operatorSessions.open": ({ operatorSessions }, audit) =>
    operatorSessions.open(anOperatorSession({ tokenHash: aHash("new") }), audit),
  "operatorSessions.close": ({ operatorSessions }, audit) =>
    operatorSessions.close(anOperatorSession().tokenHash, audit),
};

/** A change whose entry contains the values that the change replaced. */
interface Replacing {
  readonly change: (stores: Stores, caller: number, audit: AuditEntry) => ReturnType<Change>;
  /** The values that the first change replaces. */
  readonly first: object;
  /** The values that the change of this caller sets. */
  readonly next: (caller: number) => object;
}

const checksOf = (caller: number) => ({
  email: (caller & 1) === 0,
  phone: (caller & 2) === 0,
  card: (caller & 4) === 0,
  identityCard: (caller & 8) === 0,
  walletAccount: (caller & 16) === 0,
  bizNo: (caller & 32) === 0,
});

const REPLACING: Readonly<Record<string, Replacing>> = {
  "apps.setRules": {
    change: ({ apps }, caller, audit) =>
      apps.setRules(appId, { accountBased: true, identityChecks: checksOf(caller) }, FIXTURE_TIME, audit),
    first: { accountBased: APP.accountBased, identityChecks: APP.identityChecks },
    next: (caller) => ({ accountBased: true, identityChecks: checksOf(caller) }),
  },
  "serviceTypes.rename": {
    change: ({ serviceTypes }, caller, audit) =>
      serviceTypes.rename(appId, SOLD.serviceTypeNo, `Name ${caller}`, audit),
    first: { serviceName: SOLD.serviceName },
    next: (caller) => ({ serviceName: `Name ${caller}` }),
  },
  "operators.setRole": {
    change: ({ operators }, caller, audit) =>
      operators.setRole({ name: "li", role: "finance", apps: [`app_${caller}`] }, FIXTURE_TIME, audit),
    first: { role: anOperatorAccount().role },
    next: (caller) => ({ role: "finance", apps: [`app_${caller}`] }),
  },
};

/** Changes of records that do not exist. */
const OF_NOTHING: Readonly<Record<string, Change>> = {
  "apps.addSecret": ({ apps }, audit) => apps.addSecret("none", aSecret(), FIXTURE_TIME, audit),
  "apps.setDisabled": ({ apps }, audit) => apps.setDisabled("none", true, FIXTURE_TIME, audit),
  "apps.setRules": ({ apps }, audit) => apps.setRules("none", { accountBased: false }, FIXTURE_TIME, audit),
  "payTools.replace": ({ payTools }, audit) => payTools.replace(PAY_TOOL, PAY_TOOL, audit),
  "downloadsClients.change": ({ downloadsClients }, audit) =>
    downloadsClients.change("none", { dailyLimit: 10 }, { dailyLimit: 20 }, audit),
  "downloadsClients.succeed": ({ downloadsClients }, audit) =>
    downloadsClients.succeed("none", { dailyLimit: 10 }, FIXTURE_TIME, SUCCESSOR, audit),
  "serviceTypes.rename": ({ serviceTypes }, audit) => serviceTypes.rename(appId, "none", "Other", audit),
  "serviceTypes.retire": ({ serviceTypes }, audit) => serviceTypes.retire(appId, "none", FIXTURE_TIME, audit),
  "serviceTypes.restore": ({ serviceTypes }, audit) => serviceTypes.restore(appId, "none", audit),
  "billExceptions.resolve": ({ billExceptions }, audit) => billExceptions.resolve("none", RESOLUTION, audit),
  "refunds.settle": ({ refunds }, audit) => refunds.settle(ORDER, "none", aSettlement(), audit),
  "refunds.withdraw": ({ refunds }, audit) => refunds.withdraw(ORDER, "none", aWithdrawal(), audit),
  "orders.record": ({ orders }, audit) => orders.record(ORDER, ACKNOWLEDGEMENT, audit),
  "refundApprovals.decide": ({ refundApprovals }, audit) =>
    refundApprovals.decide(APPROVAL, anApproval(), decisionEntry(), audit),
};

/**
 * Tests that changes append their entry to the audit log in the same step.
 *
 * @example
 * ```ts
 * import { auditedChangesContract } from "@tillkit/contract-tests";
 * import { memoryStores } from "@tillkit/memory";
 *
 * auditedChangesContract("memory", async () => ({ port: memoryStores(), close: async () => {} }));
 * ```
 */
export function auditedChangesContract(adapter: string, open: () => Promise<Opened<Stores>>): void {
  describe(`audited changes: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    const audit = anAuditEntry();
    const prepare = async () => {
      await expectOk(stores().apps.insertOnce(APP));
      for (const type of [SOLD, RETIRED]) await expectOk(stores().serviceTypes.insertOnce(type));
      await expectOk(stores().downloadsClients.insertOnce(LIMITED));
      await expectOk(stores().downloadsClients.insertOnce(ROTATED));
      const counts = ["store_01", "store_02"].map((store) => aCount({ appId, store }));
      await expectOk(stores().downloads.upsert([counts]));
      await expectOk(stores().payTools.put(PAY_TOOL));
      await expectOk(stores().billExceptions.report([EXCEPTION]));
      const order = await aPaidOrder(stores(), ORDER);
      const refund = await aRequestedRefund(stores(), order, { refundNo: REFUND_NO });
      await refundMovedTo(stores(), order, refund, "FAILED");
      await aRequestedRefund(stores(), order, { refundNo: OPEN_REFUND_NO });
      await requestApproval(stores(), APPROVAL);
      await expectOk(stores().orders.importOnce(IMPORTED, anEntry({ type: "IMPORTED" })));
      await expectOk(stores().services.importOnce(IMPORTED_SERVICE));
    };
    const log = () => expectOk(stores().auditLog.read(0, 1_000));

    it.each(Object.entries(ONCE))("%s appends one entry for many concurrent calls", async (_, change) => {
      await prepare();
      await race(CONCURRENT_CALLERS, () => change(stores(), audit));
      expect(await log()).toHaveLength(1);
    });

    it.each(Object.entries(EACH_TIME))("%s appends an entry each time", async (_, change) => {
      await prepare();
      await expectOk(change(stores(), audit));
      await expectOk(change(stores(), audit));
      expect(await log()).toMatchObject([audit, audit]);
    });

    it.each(Object.entries(REPLACING))(
      "%s: the entries of concurrent changes contain different previous values",
      async (_, { change, first, next }) => {
        await prepare();
        await expectOk(stores().operators.insertOnce(anOperatorAccount(), audit));
        await race(CONCURRENT_CALLERS, (caller) =>
          change(stores(), caller, anAuditEntry({ reason: String(caller) })),
        );
        // Each change replaces the values that the previous change in the log has set.
        let before = first;
        for (const { reason, detail = "" } of (await log()).slice(1)) {
          expect(JSON.parse(detail)).toEqual({ before });
          before = next(Number(reason));
        }
        expect(await log()).toHaveLength(1 + CONCURRENT_CALLERS);
      },
    );

    it.each(Object.entries({ ...ONCE, ...EACH_TIME }))("%s appends nothing by default", async (_, change) => {
      await prepare();
      await expectOk(change(stores()));
      expect(await log()).toEqual([]);
    });

    it.each(Object.entries({ ...ONCE, ...EACH_TIME }))(
      "%s changes nothing if its outcome is recorded",
      async (_, change) => {
        await prepare();
        const ref = { id: "change-0123456789", digest: "digest" };
        const recorded = anAuditEntry({ outcome: "failed", change: ref });
        await expectOk(stores().auditLog.append(recorded));
        expect((await change(stores(), anAuditEntry({ change: ref }))).isErr()).toBe(true);
        // The refused change did nothing, so even a change that takes effect once still takes
        // effect.
        await expectOk(change(stores(), audit));
        expect(await log()).toMatchObject([recorded, audit]);
      },
    );

    it.each(Object.entries(OF_OPERATORS))(
      "%s appends its entry together with the change, or changes nothing",
      async (_, change) => {
        const ref = { id: "change-0123456789", digest: "digest" };
        const { operators, operatorSessions, auditLog } = stores();
        const state = async () => [
          await expectOk(operators.list()),
          await expectOk(operatorSessions.find(anOperatorSession().tokenHash)),
          await expectOk(operatorSessions.find(aHash("new"))),
        ];
        await expectOk(operators.insertOnce(anOperatorAccount(), audit));
        await expectOk(operatorSessions.open(anOperatorSession(), audit));
        const recorded = anAuditEntry({ outcome: "failed", change: ref });
        await expectOk(auditLog.append(recorded));
        const before = await state();
        expect((await change(stores(), anAuditEntry({ change: ref }))).isErr()).toBe(true);
        expect(await state()).toEqual(before);
        await expectOk(change(stores(), audit));
        expect(await state()).not.toEqual(before);
        expect((await log()).slice(2)).toMatchObject([recorded, audit]);
      },
    );

    it.each(Object.entries(EACH_TIME))("%s takes effect once for one change id", async (_, change) => {
      await prepare();
      const once = anAuditEntry({ change: { id: "change-0123456789", digest: "digest" } });
      const results = await Promise.all(
        Array.from({ length: CONCURRENT_CALLERS }, () => change(stores(), once)),
      );
      expect(results.filter((result) => result.isOk())).toHaveLength(1);
      expect(await log()).toMatchObject([once]);
    });

    it.each(Object.entries(OF_NOTHING))("%s appends nothing if it changed nothing", async (_, change) => {
      await expectOk(change(stores(), audit));
      expect(await log()).toEqual([]);
    });
  });
}
