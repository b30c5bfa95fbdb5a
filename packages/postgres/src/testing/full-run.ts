import {
  aBillLine,
  aClient,
  aClosure,
  aComparedBill,
  aCode,
  aConfirmation,
  anAdoption,
  aWithdrawal,
  aCount,
  aFoundException,
  aKeptBill,
  aKeptBillLine,
  aKeyedHash,
  anAccount,
  anAlarm,
  anApproval,
  decisionEntry,
  requestApproval,
  anAuditEntry,
  anOperatorAccount,
  anOperatorSession,
  anApp,
  anEntry,
  anOrder,
  aPayment,
  aRefund,
  aRefundApproval,
  aRejection,
  aSecret,
  aServiceType,
  aSession,
  aSendClaim,
  aSettlement,
  aSettlementEntry,
  FIXTURE_TIME,
  DAY,
  expectOk,
  MINUTE,
  unique,
  tryLimits,
} from "@tillkit/contract-tests";
import type { Order, Stores } from "@tillkit/core";
import { outRefundNo, TRADE_BILL_KINDS } from "@tillkit/core/ports";

/** The app and the customers whose orders the run lists. */
export interface FullRunOptions {
  readonly appId: string;
  readonly customers: readonly string[];
}

/** Numbers of calls that share a statement. Enough keys for several nodes. */
const MANY = Array.from({ length: 8 }, (_, nth) => nth);

/** Runs every method of every store at least once, with its success and its failure paths. */
export async function fullRun(stores: Stores, { appId, customers }: FullRunOptions): Promise<void> {
  await setup(stores, appId);
  await operators(stores);
  await events(stores, appId);
  await orders(stores, appId, customers);
  await orderSearch(stores, appId, customers);
  await refunds(stores, appId);
  await refundApprovals(stores, appId);
  await bills(stores);
  await keptBills(stores);
  await sessions(stores, appId);
  await customerData(stores, appId);
  await downloads(stores, appId);
  await alerts(stores);
  await figures(stores);
  await readiness(stores);
  await shipments(stores, appId);
}

async function shipments({ accessTokens, orders }: Stores, appId: string) {
  const tool = unique("tool-");
  const claim = (id: string) => ({ id, now: FIXTURE_TIME, until: FIXTURE_TIME + MINUTE });
  await expectOk(accessTokens.claim(tool, claim("claim")));
  await expectOk(accessTokens.claim(tool, claim("other")));
  const token = { id: "claim", token: "t", expiresAt: FIXTURE_TIME + DAY };
  await expectOk(accessTokens.save(tool, token));
  await expectOk(accessTokens.claim(tool, claim("other")));
  await expectOk(accessTokens.release(tool, "other"));
  await expectOk(accessTokens.remove(tool, "claim"));
  const order = await expectOk(orders.insertOnce(anOrder({ appId }), anEntry()));
  await expectOk(orders.scheduleShipment(order, FIXTURE_TIME));
  const entry = anEntry({ type: "SHIPMENT_REQUESTED" });
  await expectOk(orders.recordShipment(order, entry, FIXTURE_TIME));
  await expectOk(orders.recordShipment(order, entry, FIXTURE_TIME, anAuditEntry()));
}

async function alerts({ alerts: channels }: Stores) {
  const channel = unique("channel-");
  const claim = { id: "claim", now: FIXTURE_TIME, until: FIXTURE_TIME + MINUTE };
  await expectOk(channels.claim(channel, claim));
  await expectOk(channels.claim(channel, claim));
  await expectOk(channels.save(channel, "claim", "{}", { until: FIXTURE_TIME + DAY }));
  await expectOk(channels.save(channel, "claim", "{}", { dueAt: FIXTURE_TIME }));
}

async function figures({ figures: readings }: Stores) {
  const claim = { id: "claim", now: FIXTURE_TIME, until: FIXTURE_TIME + MINUTE, olderThan: FIXTURE_TIME };
  await expectOk(readings.claim(claim));
  await expectOk(readings.claim(claim));
  await expectOk(readings.save("claim", { text: "{}", at: FIXTURE_TIME }));
}

async function readiness({ readiness: checks }: Stores) {
  await expectOk(checks.write(FIXTURE_TIME));
}

/** Runs before the parts that change orders, so that they deliver events to a handler. */
async function events({ eventDeliveries, orders }: Stores, appId: string) {
  const handler = unique("handler-");
  await expectOk(eventDeliveries.registerHandler("removed", FIXTURE_TIME));
  await expectOk(eventDeliveries.registerHandler(handler, FIXTURE_TIME));
  await expectOk(eventDeliveries.listHandlers());
  const order = await expectOk(orders.insertOnce(anOrder({ appId }), anAlarm()));
  await expectOk(eventDeliveries.removeHandler("removed"));
  const key = { appId, bizNo: order.bizNo, handler };
  const claim = { id: "claim", now: FIXTURE_TIME + DAY, lease: MINUTE, limit: 10 };
  for (const claimed of await expectOk(eventDeliveries.claimDue(handler, claim))) {
    await expectOk(eventDeliveries.advance(claimed, { seq: 1, index: 1 }, FIXTURE_TIME + DAY));
    await expectOk(eventDeliveries.fail(claimed, { parkedAt: FIXTURE_TIME + DAY }));
  }
  await expectOk(eventDeliveries.replay(key, { seq: 2, index: 0 }, FIXTURE_TIME));
  await expectOk(eventDeliveries.find(key));
  for (const state of ["waiting", "parked"] as const) {
    await expectOk(eventDeliveries.list({ state, limit: 10 }));
    await expectOk(eventDeliveries.list({ state, handler, limit: 10 }));
  }
  await expectOk(eventDeliveries.dueSince(FIXTURE_TIME, 10));
  await expectOk(eventDeliveries.parkedSince(10));
  await expectOk(eventDeliveries.removeDelivered(FIXTURE_TIME + DAY, 10));
}

async function operators({ operators: accounts, operatorSessions, signInAttempts, auditLog }: Stores) {
  const audit = anAuditEntry();
  const account = anOperatorAccount({ name: unique("operator-") });
  const { name } = account;
  const at = FIXTURE_TIME + 1;
  await expectOk(accounts.insertOnce(account, audit));
  await expectOk(accounts.insertOnce(account, audit));
  await expectOk(accounts.list());
  const first = anOperatorSession({ operator: name, tokenHash: unique("token-") });
  await expectOk(operatorSessions.open(first, audit));
  const factor = { totpSecret: "JBSWY3DPEHPK3PXP", totpLastStep: 1 };
  await expectOk(accounts.setSecondFactor(name, { tokenHash: first.tokenHash, factor, at }, audit));
  await expectOk(accounts.useTotpStep(name, 2));
  const session = { ...first, tokenHash: unique("token-") };
  await expectOk(operatorSessions.open(session, audit, first.tokenHash));
  await expectOk(operatorSessions.find(session.tokenHash));
  await expectOk(operatorSessions.touch(session.tokenHash, at));
  await expectOk(operatorSessions.close(session.tokenHash, audit));
  await expectOk(operatorSessions.open(session, audit));
  const password = { passwordHash: "next", mustChangePassword: false, removesSecondFactor: false, at };
  await expectOk(accounts.setPassword(name, password, audit));
  await expectOk(accounts.setRole({ name, role: "admin", apps: ["app_1"] }, at, audit));
  await expectOk(accounts.setDisabled(name, true, at, audit));
  await expectOk(accounts.setDisabled(name, false, at, audit));
  await expectOk(operatorSessions.open({ ...session, expiresAt: 1 }, audit));
  await expectOk(operatorSessions.removeExpired(FIXTURE_TIME, 10));
  const subject = unique("attempt-");
  await expectOk(signInAttempts.take([{ subject, limit: 2 }], { at, window: MINUTE }));
  await expectOk(signInAttempts.giveBack([subject], at));
  await expectOk(signInAttempts.removeBefore(at + 1, 10));
  await expectOk(auditLog.append(anAuditEntry({ appId: "app_1" })));
  const draft = { ...anAuditEntry({ operator: name }), change: { id: unique("change-"), digest: "d" } };
  await expectOk(auditLog.begin({ draft, leaseUntil: 1 }, at));
  await expectOk(auditLog.findChange(name, draft.change.id));
  await expectOk(auditLog.recordAbandoned(at, at, 10));
  await expectOk(auditLog.begin({ draft, leaseUntil: at + 1 }, at));
  await expectOk(auditLog.begin({ draft, leaseUntil: at + 1 }, at));
  await expectOk(auditLog.withdraw(name, draft.change.id));
  await expectOk(auditLog.read(0, 10));
  for (const criteria of [
    {},
    { operator: name },
    { subject: "operator:li" },
    { action: "app.create" },
    { outcome: "refused" },
    { apps: ["app_1"] },
    { apps: ["app_1", "app_2"], from: FIXTURE_TIME, until: FIXTURE_TIME + DAY },
  ] as const) {
    const { next } = await expectOk(auditLog.search({ ...criteria, limit: 10 }));
    await expectOk(auditLog.search({ ...criteria, before: next ?? { at, seq: 1 }, limit: 10 }));
  }
}

async function setup({ apps, payTools, serviceTypes, downloadsClients }: Stores, appId: string) {
  // The rows below need an existing app.
  await expectOk(apps.insertOnce(anApp({ appId })));
  const app = anApp();
  await expectOk(apps.insertOnce(app));
  await expectOk(apps.insertOnce(app));
  await expectOk(apps.find(appId));
  await expectOk(apps.list());
  await expectOk(apps.addSecret(app.appId, aSecret(), FIXTURE_TIME));
  await expectOk(apps.setDisabled(app.appId, true, FIXTURE_TIME));
  await expectOk(apps.setRules(app.appId, { accountBased: false }, FIXTURE_TIME, anAuditEntry()));
  const account = anAccount({ appId });
  await expectOk(payTools.put(account));
  await expectOk(payTools.put({ ...anAccount({ appId }), accountId: "1900000002" }));
  await expectOk(payTools.replace(account, { ...account, appName: "Changed" }));
  await expectOk(payTools.current(appId, account.payChannel));
  await expectOk(payTools.find(account.id));
  await expectOk(payTools.list(appId));
  await expectOk(payTools.listAll());
  const type = aServiceType({ appId });
  await expectOk(serviceTypes.insertOnce(type));
  await expectOk(serviceTypes.rename(appId, type.serviceTypeNo, "Other", anAuditEntry()));
  await expectOk(serviceTypes.retire(appId, type.serviceTypeNo, FIXTURE_TIME));
  await expectOk(serviceTypes.restore(appId, type.serviceTypeNo));
  await expectOk(serviceTypes.find(appId, type.serviceTypeNo));
  await expectOk(serviceTypes.list(appId));
  const client = aClient({ appId });
  await expectOk(downloadsClients.insertOnce(client));
  await expectOk(downloadsClients.find(client.clientId));
  await expectOk(downloadsClients.change(client.clientId, client, { dailyLimit: 9 }, anAuditEntry()));
  const successor = aClient({ appId });
  await expectOk(
    downloadsClients.succeed(client.clientId, { dailyLimit: 9 }, FIXTURE_TIME, successor, anAuditEntry()),
  );
  await expectOk(downloadsClients.list());
}

async function orders({ orders, services }: Stores, appId: string, customers: readonly string[]) {
  const service = { serviceTypeNo: "T-1", serviceName: "Member", durationMs: DAY };
  const order = anOrder({ appId, customerIdentity: unique("customer-"), service, nextQueryAt: FIXTURE_TIME });
  await expectOk(orders.insertOnce(order, anEntry()));
  await expectOk(orders.insertOnce(order, anEntry()));
  await expectOk(orders.find(order));
  await expectOk(orders.findOwn(order, order.customerIdentity));
  await expectOk(orders.insertOnce(anOrder({ appId }), anAlarm()));
  await expectOk(orders.importOnce(order, anEntry({ type: "IMPORTED" })));
  await expectOk(orders.importOnce(anOrder({ id: order.id, appId }), anEntry({ type: "IMPORTED" })));
  const imports = MANY.map(() => anOrder({ appId, payToolId: "" }));
  for (const batch of [imports, [imports[0] ?? order]])
    await Promise.all(batch.map((one) => expectOk(orders.importOnce(one, anEntry({ type: "IMPORTED" })))));
  const [imported] = imports;
  if (imported === undefined) throw new Error("There is no imported order.");
  const corrected = { ...imported, customerIdentity: "customer-other" };
  await expectOk(orders.replaceImported(imported, corrected, anEntry({ type: "IMPORTED" }), anAuditEntry()));
  await expectOk(orders.findById(order.id));
  await expectOk(orders.findByIds([order.id, unique("none-")]));
  const { payToolId } = order;
  const first = await expectOk(
    orders.listPaid({ payToolId, from: FIXTURE_TIME - DAY, until: FIXTURE_TIME, limit: 100 }),
  );
  await expectOk(
    orders.listPaid({
      payToolId,
      from: FIXTURE_TIME - DAY,
      until: FIXTURE_TIME,
      after: first.at(-1),
      limit: 100,
    }),
  );
  await expectOk(orders.listAll({ limit: 100 }));
  await expectOk(orders.listAll({ after: order, limit: 100 }));
  await expectOk(orders.listAll({ appId, limit: 100 }));
  await expectOk(orders.connect(order, "tool", anEntry({ type: "CONNECTED" })));
  await expectOk(orders.claimPrepayment(order, { id: "claim", until: FIXTURE_TIME + MINUTE }, FIXTURE_TIME));
  await expectOk(orders.releasePrepayment(order, "claim"));
  await expectOk(
    orders.attachPrepayment(order, { issuedAt: FIXTURE_TIME, validUntil: FIXTURE_TIME + DAY, values: {} }),
  );
  await expectOk(orders.claimQuery(order, FIXTURE_TIME, MINUTE));
  await expectOk(orders.schedule(order, FIXTURE_TIME + MINUTE));
  await expectOk(orders.record(order, anAlarm({ evidence: "e" })));
  await expectOk(orders.transition(order, aClosure()));
  await expectOk(orders.transition(order, aPayment({ from: "CLOSE", extendService: { serviceNo: "S-1" } })));
  await expectOk(orders.timeline(order));
  await expectOk(orders.insertOnce(anOrder({ appId, nextQueryAt: FIXTURE_TIME - DAY }), anEntry()));
  await expectOk(orders.claimDue(FIXTURE_TIME, 10, MINUTE));
  // Concurrent calls share a statement.
  const keys = [order, ...MANY.map((nth) => ({ appId, bizNo: `none-${nth}` }))];
  await Promise.all(keys.map((key) => expectOk(orders.find(key))));
  await Promise.all(keys.map((key) => expectOk(orders.findOwn(key, order.customerIdentity))));
  await Promise.all([1, 2].map(() => expectOk(orders.claimDue(FIXTURE_TIME, 10, MINUTE))));
  await expectOk(orders.dueSince(FIXTURE_TIME, 10));
  const [extended] = await expectOk(services.list(appId, order.customerIdentity));
  if (extended === undefined) throw new Error("The order extended no service.");
  await expectOk(services.importOnce(extended));
  await expectOk(services.importOnce({ ...extended, serviceTypeNo: "T-2" }));
  const old = { ...extended, serviceTypeNo: "T-2" };
  await expectOk(services.isUntouchedImport(old));
  await expectOk(services.replaceImported(old, { ...old, serviceName: "Other" }, anAuditEntry()));
  await expectOk(services.listAll({ limit: 100 }));
  await expectOk(services.listAll({ appId, after: extended, limit: 100 }));
  for (const customerIdentity of [order.customerIdentity, ...customers]) {
    for (const offset of [0, 20]) {
      const page = { appId, customerIdentity, offset, limit: 20 };
      await expectOk(orders.list(page));
      await expectOk(orders.list({ ...page, paymentStatus: "PAID" }));
      await expectOk(orders.list({ ...page, paymentStatus: "PENDING" }));
    }
  }
}

async function orderSearch({ orderSearch: search }: Stores, appId: string, customers: readonly string[]) {
  const [customerIdentity] = customers;
  const filters = [
    {},
    { apps: [appId], paymentStatus: "PAID" },
    { customerIdentity },
    { withAlarm: true },
    { apps: [appId], paidFrom: FIXTURE_TIME - DAY, paidUntil: FIXTURE_TIME },
  ] as const;
  for (const filter of filters) {
    await expectOk(search.list({ ...filter, limit: 20 }));
    await expectOk(search.list({ ...filter, maxAmount: 0, limit: 20 }));
    await expectOk(search.count(filter, 20));
  }
  await expectOk(search.lookUp(customerIdentity ?? "", undefined, 20));
  await expectOk(search.alarms([appId], 20));
  await expectOk(search.events({ apps: [appId], from: FIXTURE_TIME - MINUTE, limit: 20 }));
  const range = { apps: [appId], from: FIXTURE_TIME - MINUTE, until: FIXTURE_TIME };
  await expectOk(search.sales(range));
  await expectOk(search.hours(range));
  await expectOk(search.pending([appId], 20));
}

async function refunds({ orders, refunds }: Stores, appId: string) {
  const paid = async (): Promise<Order> => {
    const service = { serviceTypeNo: "T-1", serviceName: "Member", durationMs: DAY };
    const order = anOrder({ appId, customerIdentity: unique("customer-"), service });
    await expectOk(orders.insertOnce(order, anEntry()));
    await expectOk(orders.transition(order, aPayment({ extendService: { serviceNo: "S-1" } })));
    return order;
  };
  const ofWhole = await paid();
  const whole = aRefund({ ...ofWhole, amount: 600 });
  const numberAtWallet = outRefundNo(ofWhole, whole);
  await expectOk(refunds.request(whole, anEntry()));
  await expectOk(refunds.request(aRefund({ bizNo: whole.bizNo, appId }), anEntry()));
  await expectOk(refunds.markSent(whole, whole.refundNo, FIXTURE_TIME, anEntry()));
  await expectOk(refunds.schedule(whole, whole.refundNo, FIXTURE_TIME));
  await expectOk(refunds.confirm(whole, whole.refundNo, aConfirmation()));
  await expectOk(refunds.list(whole));
  await expectOk(refunds.readRecord(whole));
  const refused = aRefund(await paid());
  await expectOk(refunds.request(refused, anEntry()));
  await expectOk(refunds.reject(refused, refused.refundNo, FIXTURE_TIME, anEntry()));
  const abnormal = aRefund({ ...(await paid()), gmtModified: FIXTURE_TIME });
  await expectOk(refunds.request(abnormal, anEntry()));
  const seen = { status: "REQUESTED", gmtModified: FIXTURE_TIME } as const;
  const move = { seen, to: "ABNORMAL", nextTryAt: FIXTURE_TIME + DAY, entry: anEntry() } as const;
  await expectOk(refunds.progress(abnormal, abnormal.refundNo, move));
  await expectOk(refunds.settle(abnormal, abnormal.refundNo, aSettlement(), anAuditEntry()));
  await expectOk(refunds.request(aRefund({ ...(await paid()), nextTryAt: FIXTURE_TIME - DAY }), anEntry()));
  const confirmed = {
    payToolIds: ["01TESTPAYTOOL", "01OTHERTOOL"],
    from: FIXTURE_TIME - DAY,
    until: FIXTURE_TIME + DAY,
    limit: 100,
  };
  const withdrawn = aRefund(await paid());
  await expectOk(refunds.request(withdrawn, anEntry()));
  await expectOk(refunds.markSent(withdrawn, withdrawn.refundNo, FIXTURE_TIME, anEntry()));
  await expectOk(refunds.claimSend(withdrawn, withdrawn.refundNo, aSendClaim()));
  await expectOk(refunds.withdraw(withdrawn, withdrawn.refundNo, aWithdrawal(), anAuditEntry()));
  const found = anAdoption(await paid(), { amount: 600 });
  await expectOk(refunds.adopt(found));
  await expectOk(refunds.adopt(found));
  const page = await expectOk(refunds.listConfirmed(confirmed));
  await expectOk(refunds.listConfirmed({ ...confirmed, after: page.at(-1)?.refund }));
  await expectOk(refunds.claimDue(FIXTURE_TIME, 10, MINUTE));
  await expectOk(refunds.dueSince(FIXTURE_TIME, 10));
  await expectOk(refunds.openByStatus(10));
  for (const status of [undefined, "CONFIRMED", "FAILED"] as const)
    for (const apps of [undefined, [appId], [appId, "none"]])
      for (const filter of [
        {},
        { operator: "han" },
        { number: whole.refundNo },
        { number: numberAtWallet },
      ]) {
        const { items } = await expectOk(refunds.search({ status, apps, ...filter, limit: 100 }));
        await expectOk(refunds.search({ status, apps, ...filter, before: items.at(-1), limit: 100 }));
        await expectOk(refunds.search({ status, apps, ...filter, maxAmount: 0, limit: 100 }));
      }
}

async function refundApprovals(stores: Stores, appId: string) {
  const { refundApprovals: store } = stores;
  const audit = anAuditEntry({ action: "refund.approve" });
  const [approved, rejected] = [1, 2].map(() => aRefundApproval({ appId, bizNo: unique("biz-") }));
  if (approved === undefined || rejected === undefined) throw new Error("There are no approvals.");
  await requestApproval(stores, approved, audit);
  await requestApproval(stores, approved, audit);
  await requestApproval(stores, rejected);
  await expectOk(store.find(approved.id));
  await expectOk(store.listOfOrder(approved));
  await expectOk(store.readRefundFacts(approved, 100));
  for (const states of [["WAITING"], ["APPROVED", "REJECTED"]] as const)
    for (const apps of [undefined, [appId], [appId, "none"]]) {
      const [last] = (await expectOk(store.list({ states, apps, limit: 100 }))).slice(-1);
      await expectOk(store.list({ states, apps, before: last, requestedBy: "li", limit: 100 }));
    }
  await expectOk(store.list({ states: ["APPROVED"], notMade: true, limit: 100 }));
  await expectOk(store.countWaiting(undefined, 100));
  await expectOk(store.countWaiting([appId], 100));
  const to = { state: "APPROVED", nextTryAt: FIXTURE_TIME } as const;
  await expectOk(
    store.decide(approved, anApproval({ operator: approved.requestedBy, to }), decisionEntry(), audit),
  );
  await expectOk(store.decide(approved, anApproval({ to }), decisionEntry(), audit));
  await expectOk(store.decide(rejected, aRejection(), decisionEntry()));
  await expectOk(store.claimDue(FIXTURE_TIME, 10, MINUTE));
  await expectOk(store.schedule(approved, FIXTURE_TIME));
  await expectOk(store.end(approved, "order.refunded"));
}

async function keptBills({ keptBills: kept }: Stores) {
  // The account is new, so these runs replace no kept bill of another run.
  const accountId = unique("account-");
  const [first, second] = [aKeptBill({ accountId }), aKeptBill({ accountId, asOf: FIXTURE_TIME + 1 })];
  for (const [bill, instead] of [[first], [second, first]] as const) {
    await expectOk(kept.begin(bill.runId, bill, bill.asOf));
    await expectOk(kept.add(bill.runId, [aKeptBillLine(), aKeptBillLine({ position: 2 })]));
    await expectOk(kept.keep(bill, instead?.runId, FIXTURE_TIME));
  }
  // Ten runs are almost never all on one node.
  const others = Array.from({ length: 10 }, () => unique("run-"));
  for (const replaced of [first.runId, ...others]) {
    await expectOk(kept.missingLines(second.runId, replaced, 10));
    await expectOk(kept.sharedRefunds(second.runId, replaced, 10));
  }
  await expectOk(kept.list(first.day, first.day));
  await expectOk(kept.sums([first.runId, second.runId, ...others]));
  await expectOk(kept.page(second.runId, 0, 10));
  await expectOk(kept.remove({ before: FIXTURE_TIME + 1, day: first.day }, 10));
}

async function bills({ billLines, billSettlements, billExceptions }: Stores) {
  const [run, line] = [unique("run-"), aBillLine()];
  await expectOk(
    billLines.stage(run, [line, aBillLine({ kind: "refund", refundNo: "r-1" })], FIXTURE_TIME - DAY),
  );
  await expectOk(billLines.page(run, undefined, 1));
  await expectOk(billLines.page(run, line, 100));
  await expectOk(billLines.find(run, [line, { ...line, kind: "refund" }]));
  await expectOk(billLines.discard(run, 1));
  await expectOk(billLines.removeBefore(FIXTURE_TIME, 10));
  const [stated, moved] = [aSettlementEntry(), aSettlementEntry({ side: "MOVED" })];
  await expectOk(billSettlements.stage(run, [stated, moved], FIXTURE_TIME - DAY));
  await expectOk(billSettlements.page(run, undefined, 1));
  await expectOk(billSettlements.page(run, stated.settlementNo, 100));
  await expectOk(billSettlements.find(run, [stated.settlementNo, moved.settlementNo]));
  await expectOk(billSettlements.discard(run, 1));
  await expectOk(billSettlements.removeBefore(FIXTURE_TIME, 10));
  const [open, gone, listed] = [aFoundException(), aFoundException(), aFoundException()];
  await expectOk(billExceptions.report([open, gone]));
  await expectOk(
    billExceptions.closeUnseen(
      gone,
      { asOf: FIXTURE_TIME + 1, at: FIXTURE_TIME, kinds: TRADE_BILL_KINDS },
      1,
    ),
  );
  await expectOk(billExceptions.markListed([listed]));
  await expectOk(billExceptions.markHealed([gone.id], FIXTURE_TIME));
  const resolution = { operator: "han", note: "seen to", at: FIXTURE_TIME, remedy: "settle" } as const;
  await expectOk(billExceptions.resolve(open.id, resolution));
  await expectOk(billExceptions.resolve(open.id, resolution));
  await expectOk(billExceptions.find(open.id));
  for (const filter of [
    {},
    { day: open.day },
    { outTradeNo: open.outTradeNo },
    { apps: ["app_1"], kind: open.kind },
  ]) {
    await expectOk(billExceptions.list({ state: "OPEN", ...filter, limit: 20 }));
    await expectOk(billExceptions.count({ state: "OPEN", ...filter }, 20));
  }
  await expectOk(billExceptions.openByKind(10));
  await expectOk(billExceptions.recordCompared(aComparedBill()));
  await expectOk(billExceptions.listCompared("2026-01-15", "2026-01-16"));
  await expectOk(billExceptions.countByBill("2026-01-15", "2026-01-16"));
}

async function sessions({ codes, quotas, sessions }: Stores, appId: string) {
  const [current, older] = [aKeyedHash(), aKeyedHash()];
  await expectOk(sessions.identify(appId, [older], "customer-a", FIXTURE_TIME));
  await expectOk(sessions.identify(appId, [current, older], "customer-b", FIXTURE_TIME));
  await expectOk(sessions.importCustomer(appId, [aKeyedHash(), older], "customer-c", FIXTURE_TIME));
  await expectOk(sessions.findPhones(appId, [current, older]));
  await expectOk(sessions.confirmLogin(appId, [current, older], "customer-a", FIXTURE_TIME));
  await expectOk(sessions.listCustomers({ limit: 100 }));
  await expectOk(sessions.listCustomers({ appId, limit: 100 }));
  const session = aSession({ appId });
  await expectOk(sessions.open(session, 5));
  await expectOk(sessions.use(session, FIXTURE_TIME));
  await expectOk(sessions.countLive(appId, session.customerId, FIXTURE_TIME));
  const some = [session, ...MANY.map((nth) => aSession({ appId, customerId: `none-${nth}` }))];
  await Promise.all(some.map((one) => expectOk(sessions.use(one, FIXTURE_TIME))));
  await expectOk(sessions.use(session, FIXTURE_TIME + DAY));
  await expectOk(sessions.list(appId, session.customerId));
  const [taken, passed] = [aKeyedHash(), aKeyedHash()];
  const from = session.customerId;
  for (const hash of [taken, passed]) await expectOk(sessions.identify(appId, [hash], from, FIXTURE_TIME));
  const moves = [
    { phoneHash: taken, from },
    { phoneHash: passed, from, to: "customer-a" },
    { phoneHash: aKeyedHash(), to: "customer-a" },
  ];
  await expectOk(sessions.movePhones(appId, moves, FIXTURE_TIME));
  await expectOk(sessions.revoke(session));
  await expectOk(sessions.revokeAll(appId, session.customerId));
  const code = aCode({ appId });
  await expectOk(codes.add(code, tryLimits()));
  await expectOk(codes.attempt(code, tryLimits()));
  await expectOk(codes.drop(code));
  await expectOk(codes.dropEarlier(code));
  const key = { scope: "sms", subject: current } as const;
  const unit = { day: "2026-01-15", limit: 1, now: FIXTURE_TIME, spacing: 0 };
  await expectOk(quotas.take(key, unit));
  await expectOk(quotas.take(key, unit));
  await expectOk(quotas.take(key, { ...unit, limit: 5, spacing: MINUTE }));
  await expectOk(quotas.giveBack(key, unit.day));
  await expectOk(quotas.find(key, unit.day));
  await expectOk(quotas.list(`${unit.day}/08`, 10));
  await expectOk(codes.add(aCode({ appId, expiresAt: FIXTURE_TIME - 1 }), tryLimits()));
  await expectOk(
    sessions.open(aSession({ appId, gmtCreate: FIXTURE_TIME - DAY, expiresAt: FIXTURE_TIME - 1 }), 5),
  );
  await expectOk(
    quotas.take({ ...key, subject: older }, { ...unit, now: FIXTURE_TIME - DAY, spacing: MINUTE }),
  );
  await expectOk(codes.removeExpired(FIXTURE_TIME, 10));
  await expectOk(sessions.removeExpired(FIXTURE_TIME, 10));
  await expectOk(sessions.forgetIdle(FIXTURE_TIME, 10));
  await expectOk(quotas.removeBefore("2026-01-16", 10));
  await expectOk(quotas.removeSpacings(FIXTURE_TIME, 10));
}

async function customerData(stores: Stores, appId: string) {
  const { billExceptions, codes, customerData, orders, quotas, sessions } = stores;
  const hash = aKeyedHash();
  const customerId = await expectOk(sessions.identify(appId, [hash], unique("customer-"), FIXTURE_TIME));
  await expectOk(sessions.open(aSession({ appId, customerId }), 5));
  await expectOk(codes.add(aCode({ appId, phoneHash: hash }), { now: FIXTURE_TIME, perDay: 5 }));
  const unit = { day: "2026-01-15", limit: 5, now: FIXTURE_TIME, spacing: MINUTE };
  await expectOk(quotas.take({ scope: "sms", subject: hash }, unit));
  await expectOk(customerData.readLogin({ appId, phoneHashes: [hash] }));
  const unlinked = unique("customer-");
  await expectOk(sessions.open(aSession({ appId, customerId: unlinked }), 5));
  await expectOk(customerData.eraseLogin({ appId, customerIds: [unlinked], phoneHashes: [] }, FIXTURE_TIME));
  const erasing = { appId, customerIds: [customerId, unique("customer-")], phoneHashes: [hash] };
  await expectOk(customerData.eraseLogin(erasing, FIXTURE_TIME));
  await expectOk(sessions.open(aSession({ appId, customerId }), 5));
  // No handler gets an event of this order, so no open delivery prevents the erasure.
  const order = anOrder({ appId, customerName: "Li Lei", paymentStatus: "PAID", pmtDt: FIXTURE_TIME });
  await expectOk(orders.insertOnce(order, anEntry()));
  await expectOk(customerData.eraseOrder(order, { at: FIXTURE_TIME, actor: "operator:han" }));
  const exception = aFoundException({ outTradeNo: order.id });
  await expectOk(billExceptions.report([exception]));
  const resolution = { operator: "han", note: "Li Lei", at: FIXTURE_TIME, remedy: "settle" } as const;
  await expectOk(billExceptions.resolve(exception.id, resolution));
  await expectOk(billExceptions.list({ state: "RESOLVED", ofOrder: order, limit: 5 }));
  await expectOk(customerData.eraseNotes(order));
  await expectOk(orders.insertOnce(anOrder({ appId, customerName: "Li Lei", gmtCreate: 1 }), anEntry()));
  await expectOk(customerData.forgetNames(2, 10));
}

async function downloads({ downloads }: Stores, appId: string) {
  await expectOk(downloads.upsert([[aCount({ appId }), aCount({ appId, store: "store_02" })]]));
  await expectOk(downloads.increment(aCount({ appId })));
  await downloads.increment(aCount({ appId: "app_unknown" }));
  await expectOk(downloads.read(appId, "2025-01-01", "2026-01-01"));
  await expectOk(downloads.increment(aCount({ appId, store: "Store_01" })));
  await expectOk(downloads.upsert([[aCount({ appId, store: "STORE_02" })]]));
  await expectOk(downloads.storeNames());
  await expectOk(downloads.coverage(appId));
  const [store, into] = [unique("store-"), unique("store-")];
  const set = { newDownloads: 2, updateDownloads: 1 };
  for (const name of [store, into]) {
    await expectOk(downloads.changeStores({ kind: "add", store: name }, false));
    const range = { appId, store: name, from: aCount().date, until: aCount().date };
    await expectOk(downloads.changeDays(range, set, false));
  }
  await expectOk(downloads.changeStores({ kind: "rename", store: into, to: `${into}-new` }, false));
  await expectOk(downloads.changeStores({ kind: "merge", store, into, days: "sum" }, false));
  const day = { appId, store: into, from: aCount().date, until: aCount().date };
  const counts = { newDownloads: 1, updateDownloads: 1 };
  await expectOk(downloads.changeDays(day, counts, false, anAuditEntry()));
  await expectOk(downloads.changeDays(day, "delete", false, anAuditEntry()));
}
