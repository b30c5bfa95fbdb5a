import type { CustomerService, Stores } from "@tillkit/core";
import type { ClaimedDelivery, CountFailure } from "@tillkit/core/ports";
import { okAsync, type ResultAsync } from "neverthrow";
import {
  aClosure,
  aCode,
  anAdoption,
  aWithdrawal,
  aConfirmation,
  aCount,
  anAlarm,
  anApp,
  anEntry,
  aRefund,
  aSecret,
  aServiceType,
  aSession,
  aSendClaim,
  aSettlement,
  FIXTURE_TIME,
  tryLimits,
} from "../../../../support/fixtures.js";
import { anApproval, approvalEntry, decisionEntry } from "../../../../support/refund-approval-fixture.js";
import { accountOf, approvalOf, NAMES, orderOf, refundOf } from "../../../../support/stores/app-records.js";

/** Calls a method as `appId`, with names that another app uses as well. */
export type CallAs = (stores: Stores, appId: string) => ResultAsync<unknown, CountFailure>;

/** Calls a method as an app, or states why the method does not belong to an app. */
export type IsolationCase = CallAs | { readonly acrossApps: string };

const { pending, paid, refundNo, serviceTypeNo, customerIdentity, phoneHash, codeHash, customerId } = NAMES;
const { tokenHash, day, handler, claimId } = NAMES;
const OPERATORS = { acrossApps: "operators see every app" } as const;
const WORKERS = { acrossApps: "workers and housekeeping serve every app" } as const;
const BILLS = { acrossApps: "a bill is a merchant's, whose orders may be of many apps" } as const;
const SUBJECTS = { acrossApps: "a subject is a client id, or a keyed hash that covers the app" } as const;
const OWN_IDS = { acrossApps: "an id names one account, and proves nothing without its signature" } as const;
const CLIENTS = { acrossApps: "a client id is one in all apps, and names its app" } as const;

const later = FIXTURE_TIME + 10_000;
const claim = { id: "claim-1", until: later + 1 } as const;
const prepayment = { issuedAt: later, validUntil: later + 1, values: { prepayId: "wx-1" } } as const;

/** Returns the app of a cached value, or the caller's app if the value is no longer cached. */
const ownerOf = (cached: { readonly appId: string } | undefined, appId: string) => cached?.appId ?? appId;

/** Returns the delivery of the paid order, as if the app had claimed it. */
const claimedOf = (appId: string): ClaimedDelivery => ({
  appId,
  bizNo: paid,
  handler,
  next: { seq: 2, index: 0 },
  lastSeq: 2,
  tries: 0,
  claimId,
  until: later,
});

/** Returns a service with the customer and the type of the stored one. */
function anOtherService(appId: string): CustomerService {
  return {
    appId,
    customerIdentity,
    serviceTypeNo,
    serviceNo: "other",
    serviceName: "Other",
    expireTime: later,
    gmtCreate: later,
  };
}

/** One call of every store method. A new method without a case does not compile. */
export const ISOLATION_CASES: {
  readonly [K in keyof Stores]: Readonly<Record<keyof Stores[K], IsolationCase>>;
} = {
  apps: {
    insertOnce: ({ apps }, appId) => apps.insertOnce(anApp({ appId, secrets: [] })),
    find: ({ apps }, appId) => apps.find(appId),
    getCached: ({ apps }, appId) => okAsync(ownerOf(apps.getCached(appId), appId)),
    list: OPERATORS,
    addSecret: ({ apps }, appId) => apps.addSecret(appId, aSecret({ hash: "0".repeat(64) }), later),
    setDisabled: ({ apps }, appId) => apps.setDisabled(appId, true, later),
    setRules: ({ apps }, appId) => apps.setRules(appId, { accountBased: false }, later),
  },
  payTools: {
    put: ({ payTools }, appId) => payTools.put({ ...accountOf(appId), signStatus: "NO" }),
    replace: OWN_IDS,
    current: ({ payTools }, appId) => payTools.current(appId, "WALLET_A"),
    getCachedCurrent: ({ payTools }, appId) =>
      okAsync(ownerOf(payTools.getCachedCurrent(appId, "WALLET_A"), appId)),
    find: OWN_IDS,
    getCached: OWN_IDS,
    list: ({ payTools }, appId) => payTools.list(appId),
    listAll: BILLS,
  },
  orders: {
    insertOnce: ({ orders }, appId) =>
      orders.insertOnce({ ...orderOf({ appId, bizNo: pending }), amount: 1 }, anEntry()),
    importOnce: ({ orders }, appId) =>
      orders.importOnce({ ...orderOf({ appId, bizNo: pending }), amount: 1 }, anEntry({ type: "IMPORTED" })),
    replaceImported: ({ orders }, appId) => {
      const order = orderOf({ appId, bizNo: pending });
      return orders.replaceImported(order, { ...order, amount: 1 }, anEntry({ type: "IMPORTED" }));
    },
    find: ({ orders }, appId) => orders.find({ appId, bizNo: paid }),
    findOwn: ({ orders }, appId) => orders.findOwn({ appId, bizNo: paid }, customerIdentity),
    findById: OPERATORS,
    findByIds: BILLS,
    listPaid: BILLS,
    listAll: ({ orders }, appId) => orders.listAll({ appId, limit: 100 }),
    list: ({ orders }, appId) => orders.list({ appId, customerIdentity, offset: 0, limit: 10 }),
    claimPrepayment: ({ orders }, appId) => orders.claimPrepayment({ appId, bizNo: pending }, claim, later),
    attachPrepayment: ({ orders }, appId) => orders.attachPrepayment({ appId, bizNo: pending }, prepayment),
    releasePrepayment: ({ orders }, appId) => orders.releasePrepayment({ appId, bizNo: pending }, claim.id),
    transition: ({ orders }, appId) => orders.transition({ appId, bizNo: pending }, aClosure()),
    connect: ({ orders }, appId) =>
      orders.connect({ appId, bizNo: pending }, "other", anEntry({ type: "CONNECTED" })),
    record: ({ orders }, appId) => orders.record({ appId, bizNo: paid }, anAlarm()),
    timeline: ({ orders }, appId) => orders.timeline({ appId, bizNo: paid }),
    claimQuery: ({ orders }, appId) => orders.claimQuery({ appId, bizNo: pending }, later, 1),
    claimDue: WORKERS,
    dueSince: WORKERS,
    schedule: ({ orders }, appId) => orders.schedule({ appId, bizNo: pending }, later),
    scheduleShipment: ({ orders }, appId) => orders.scheduleShipment({ appId, bizNo: paid }, later),
    recordShipment: ({ orders }, appId) =>
      orders.recordShipment({ appId, bizNo: paid }, anEntry({ type: "SHIPMENT_REQUESTED" }), later),
  },
  orderSearch: {
    list: ({ orderSearch }, appId) => orderSearch.list({ apps: [appId], limit: 10 }),
    count: ({ orderSearch }, appId) => orderSearch.count({ apps: [appId] }, 10),
    lookUp: ({ orderSearch }, appId) => orderSearch.lookUp(paid, [appId], 10),
    alarms: ({ orderSearch }, appId) => orderSearch.alarms([appId], 10),
    events: ({ orderSearch }, appId) => orderSearch.events({ apps: [appId], from: 0, limit: 100 }),
    sales: ({ orderSearch }, appId) => orderSearch.sales({ apps: [appId], from: 0, until: later }),
    hours: ({ orderSearch }, appId) => orderSearch.hours({ apps: [appId], from: 0, until: later }),
    pending: ({ orderSearch }, appId) => orderSearch.pending([appId], 10),
  },
  refunds: {
    request: ({ refunds }, appId) =>
      refunds.request(aRefund({ appId, bizNo: paid, refundNo: "r-2" }), anEntry()),
    markSent: ({ refunds }, appId) =>
      refunds.markSent({ appId, bizNo: paid }, refundNo, later, anEntry({ type: "REFUND_SENT" })),
    confirm: ({ refunds }, appId) => {
      const entry = anEntry({ type: "REFUND_CONFIRMED" });
      const confirmation = aConfirmation({ walletRefundNo: "5000000001", entry });
      return refunds.confirm({ appId, bizNo: paid }, refundNo, confirmation);
    },
    progress: ({ refunds }, appId) => {
      const entry = anEntry({ type: "REFUND_ABNORMAL" });
      const seen = { status: "REQUESTED", gmtModified: FIXTURE_TIME } as const;
      const progress = { seen, to: "ABNORMAL", nextTryAt: later, entry } as const;
      return refunds.progress({ appId, bizNo: paid }, refundNo, progress);
    },
    adopt: ({ refunds }, appId) =>
      refunds.adopt({
        ...anAdoption({ appId, bizNo: paid }, { refundNo: "console:1", walletRefundNo: "5000000002" }),
        entry: anEntry({ type: "REFUND_ADOPTED" }),
      }),
    claimSend: ({ refunds }, appId) => refunds.claimSend({ appId, bizNo: paid }, refundNo, aSendClaim()),
    withdraw: ({ refunds }, appId) => refunds.withdraw({ appId, bizNo: paid }, refundNo, aWithdrawal()),
    settle: ({ refunds }, appId) => refunds.settle({ appId, bizNo: paid }, refundNo, aSettlement()),
    reject: ({ refunds }, appId) =>
      refunds.reject({ appId, bizNo: paid }, refundNo, later, anEntry({ type: "REFUND_REFUSED" })),
    readRecord: ({ refunds }, appId) => refunds.readRecord({ appId, bizNo: paid }),
    list: ({ refunds }, appId) => refunds.list(refundOf(appId)),
    listConfirmed: BILLS,
    search: ({ refunds }, appId) => refunds.search({ apps: [appId], limit: 100 }),
    claimDue: WORKERS,
    dueSince: WORKERS,
    openByStatus: OPERATORS,
    schedule: ({ refunds }, appId) => refunds.schedule({ appId, bizNo: paid }, refundNo, later),
  },
  refundApprovals: {
    request: ({ refundApprovals }, appId) =>
      refundApprovals.request({ ...approvalOf(appId), requestedBy: "other" }, approvalEntry()),
    find: OPERATORS,
    listOfOrder: ({ refundApprovals }, appId) => refundApprovals.listOfOrder({ appId, bizNo: paid }),
    readRefundFacts: ({ refundApprovals }, appId) =>
      refundApprovals.readRefundFacts({ appId, bizNo: paid }, 100),
    decide: ({ refundApprovals }, appId) =>
      refundApprovals.decide(approvalOf(appId), anApproval(), decisionEntry()),
    list: ({ refundApprovals }, appId) =>
      refundApprovals.list({ states: ["WAITING"], apps: [appId], limit: 100 }),
    countWaiting: ({ refundApprovals }, appId) => refundApprovals.countWaiting([appId], 100),
    claimDue: WORKERS,
    schedule: ({ refundApprovals }, appId) => refundApprovals.schedule(approvalOf(appId), later),
    end: ({ refundApprovals }, appId) => refundApprovals.end(approvalOf(appId), "order.refunded"),
  },
  billLines: {
    stage: BILLS,
    page: BILLS,
    find: BILLS,
    discard: BILLS,
    removeBefore: BILLS,
  },
  billSettlements: {
    stage: BILLS,
    page: BILLS,
    find: BILLS,
    discard: BILLS,
    removeBefore: BILLS,
  },
  keptBills: {
    begin: BILLS,
    add: BILLS,
    keep: BILLS,
    missingLines: BILLS,
    sharedRefunds: BILLS,
    list: BILLS,
    sums: BILLS,
    page: BILLS,
    remove: BILLS,
  },
  billExceptions: {
    report: BILLS,
    markListed: BILLS,
    markHealed: BILLS,
    closeUnseen: BILLS,
    resolve: OPERATORS,
    find: OPERATORS,
    list: OPERATORS,
    count: OPERATORS,
    openByKind: OPERATORS,
    recordCompared: BILLS,
    listCompared: BILLS,
    countByBill: BILLS,
  },
  serviceTypes: {
    insertOnce: ({ serviceTypes }, appId) =>
      serviceTypes.insertOnce(aServiceType({ appId, serviceTypeNo, serviceName: "Other" })),
    rename: ({ serviceTypes }, appId) => serviceTypes.rename(appId, serviceTypeNo, "Other"),
    retire: ({ serviceTypes }, appId) => serviceTypes.retire(appId, serviceTypeNo, later),
    restore: ({ serviceTypes }, appId) => serviceTypes.restore(appId, serviceTypeNo),
    find: ({ serviceTypes }, appId) => serviceTypes.find(appId, serviceTypeNo),
    list: ({ serviceTypes }, appId) => serviceTypes.list(appId),
  },
  services: {
    list: ({ services }, appId) => services.list(appId, customerIdentity),
    importOnce: ({ services }, appId) => services.importOnce(anOtherService(appId)),
    isUntouchedImport: ({ services }, appId) =>
      services.isUntouchedImport({ appId, customerIdentity, serviceTypeNo }),
    replaceImported: ({ services }, appId) => {
      const service = anOtherService(appId);
      return services.replaceImported(service, { ...service, serviceName: "Replaced" });
    },
    listAll: ({ services }, appId) => services.listAll({ appId, limit: 100 }),
  },
  codes: {
    add: ({ codes }, appId) => codes.add(aCode({ appId, phoneHash, codeHash }), tryLimits()),
    dropEarlier: ({ codes }, appId) => codes.dropEarlier({ appId, phoneHash, codeHash }),
    drop: ({ codes }, appId) => codes.drop({ appId, phoneHash, codeHash }),
    attempt: ({ codes }, appId) => codes.attempt({ appId, phoneHash, codeHash }, tryLimits()),
    removeExpired: WORKERS,
  },
  sessions: {
    identify: ({ sessions }, appId) => sessions.identify(appId, [phoneHash], `new-${appId}`, later),
    importCustomer: ({ sessions }, appId) =>
      sessions.importCustomer(appId, [phoneHash], `new-${appId}`, later),
    findPhones: ({ sessions }, appId) => sessions.findPhones(appId, [phoneHash]),
    listCustomers: ({ sessions }, appId) => sessions.listCustomers({ appId, limit: 100 }),
    open: ({ sessions }, appId) =>
      sessions.open(aSession({ appId, customerId, tokenHash: "0".repeat(64), gmtCreate: later }), 1),
    confirmLogin: ({ sessions }, appId) => sessions.confirmLogin(appId, [phoneHash], customerId, later),
    movePhones: ({ sessions }, appId) =>
      sessions.movePhones(appId, [{ phoneHash, from: customerId, to: `new-${appId}` }], later),
    use: ({ sessions }, appId) => sessions.use({ appId, customerId, tokenHash }, later),
    revoke: ({ sessions }, appId) => sessions.revoke({ appId, customerId, tokenHash }),
    list: ({ sessions }, appId) => sessions.list(appId, customerId),
    revokeAll: ({ sessions }, appId) => sessions.revokeAll(appId, customerId),
    countLive: ({ sessions }, appId) => sessions.countLive(appId, customerId, later),
    removeExpired: WORKERS,
    forgetIdle: WORKERS,
  },
  customerData: {
    readLogin: ({ customerData }, appId) =>
      customerData.readLogin({ appId, customerId, phoneHashes: [phoneHash] }),
    eraseLogin: ({ customerData }, appId) =>
      customerData.eraseLogin({ appId, customerIds: [customerId], phoneHashes: [phoneHash] }, later),
    eraseOrder: ({ customerData }, appId) =>
      customerData.eraseOrder({ appId, bizNo: paid }, { at: later, actor: "operator:li" }),
    eraseNotes: ({ customerData }, appId) =>
      customerData.eraseNotes({ id: `unknown-${appId}`, appId, bizNo: paid }),
    forgetNames: WORKERS,
  },
  quotas: {
    take: SUBJECTS,
    giveBack: SUBJECTS,
    find: SUBJECTS,
    list: WORKERS,
    removeBefore: WORKERS,
    removeSpacings: WORKERS,
  },
  downloads: {
    read: ({ downloads }, appId) => downloads.read(appId, day, day),
    upsert: ({ apps, downloads }, appId) =>
      apps
        .insertOnce(anApp({ appId }))
        .andThen(() => downloads.upsert([[aCount({ appId, newDownloads: 7 })]])),
    increment: ({ apps, downloads }, appId) =>
      apps.insertOnce(anApp({ appId })).andThen(() => downloads.increment(aCount({ appId }))),
    storeNames: OPERATORS,
    changeStores: OPERATORS,
    changeDays: ({ apps, downloads }, appId) =>
      apps
        .insertOnce(anApp({ appId }))
        .andThen(() =>
          downloads.changeDays({ appId, store: aCount().store, from: day, until: day }, "delete", false),
        ),
    coverage: ({ downloads }, appId) => downloads.coverage(appId),
  },
  downloadsClients: {
    insertOnce: CLIENTS,
    change: CLIENTS,
    succeed: CLIENTS,
    find: CLIENTS,
    getCached: CLIENTS,
    list: OPERATORS,
  },
  eventDeliveries: {
    registerHandler: OPERATORS,
    removeHandler: OPERATORS,
    listHandlers: OPERATORS,
    claimDue: WORKERS,
    advance: ({ eventDeliveries }, appId) =>
      eventDeliveries.advance(claimedOf(appId), { seq: 2, index: 1 }, later),
    fail: ({ eventDeliveries }, appId) => eventDeliveries.fail(claimedOf(appId), { parkedAt: later }),
    replay: ({ eventDeliveries }, appId) =>
      eventDeliveries.replay(claimedOf(appId), { seq: 1, index: 0 }, later),
    find: ({ eventDeliveries }, appId) => eventDeliveries.find(claimedOf(appId)),
    list: OPERATORS,
    dueSince: WORKERS,
    parkedSince: WORKERS,
    removeDelivered: WORKERS,
  },
  operators: {
    insertOnce: OPERATORS,
    find: OPERATORS,
    list: OPERATORS,
    setPassword: OPERATORS,
    setSecondFactor: OPERATORS,
    useTotpStep: OPERATORS,
    setRole: OPERATORS,
    setDisabled: OPERATORS,
  },
  operatorSessions: {
    open: OPERATORS,
    find: OPERATORS,
    touch: OPERATORS,
    close: OPERATORS,
    removeExpired: WORKERS,
  },
  signInAttempts: {
    take: OPERATORS,
    giveBack: OPERATORS,
    removeBefore: WORKERS,
  },
  auditLog: {
    append: OPERATORS,
    begin: OPERATORS,
    findChange: OPERATORS,
    withdraw: OPERATORS,
    recordAbandoned: WORKERS,
    search: ({ auditLog }, appId) => auditLog.search({ apps: [appId], limit: 10 }),
    read: OPERATORS,
  },
  alerts: {
    claim: WORKERS,
    save: WORKERS,
  },
  figures: {
    claim: WORKERS,
    save: WORKERS,
  },
  accessTokens: {
    claim: WORKERS,
    save: WORKERS,
    release: WORKERS,
    remove: WORKERS,
  },
  readiness: {
    write: WORKERS,
  },
};
