import type { OrderKey, Stores } from "@tillkit/core";
import {
  aCode,
  aCount,
  aHash,
  aKeyedHash,
  anAccount,
  anApp,
  anEntry,
  anOrder,
  aPayment,
  aRefund,
  aSecret,
  aServiceType,
  aSession,
  DAY,
  FIXTURE_TIME,
  tryLimits,
} from "../fixtures.js";
import { expectOk } from "../open-before-each.js";
import { aRefundApproval, requestApproval } from "../refund-approval-fixture.js";

/** The names that all apps of the isolation suite use, so that only the app distinguishes them. */
export const NAMES = {
  pending: "b-pending",
  paid: "b-paid",
  refundNo: "r-1",
  approvedNo: "r-3",
  serviceTypeNo: "T-1",
  customerIdentity: "customer-1",
  phoneHash: aKeyedHash("phone"),
  codeHash: aKeyedHash("code"),
  customerId: "customer-1",
  tokenHash: aHash("token"),
  day: "2026-01-15",
  handler: "handler-1",
  claimId: "claim-1",
} as const;

/** Returns the account of an app, with a unique id. */
export function accountOf(appId: string) {
  return anAccount({ id: `TOOL${appId}`, appId });
}

/** Returns a PENDING order of an app, with a unique id. */
export function orderOf({ appId, bizNo }: OrderKey) {
  const id = `ORDER${bizNo.replace("b-", "")}${appId}`;
  return anOrder({ id, appId, bizNo, payToolId: `TOOL${appId}`, notifyUrl: `https://pay.example/${id}` });
}

/** Returns the refund of an app's paid order. */
export function refundOf(appId: string) {
  return aRefund({ appId, bizNo: NAMES.paid, refundNo: NAMES.refundNo });
}

/** Returns an approval for another refund of an app's paid order, with a unique id. */
export function approvalOf(appId: string) {
  return aRefundApproval({ id: `APPROVAL${appId}`, appId, bizNo: NAMES.paid, refundNo: NAMES.approvedNo });
}

/**
 * Stores one of each kind of data for an app.
 *
 * These are a pay tool, a service type, a PENDING order, a paid order with a refund, an approval
 * and a claimed delivery of its events, a service, a code, a session and download counts.
 */
export async function createAppRecords(stores: Stores, appId: string): Promise<void> {
  const { pending, paid, serviceTypeNo, phoneHash, codeHash, customerId, tokenHash } = NAMES;
  await expectOk(stores.eventDeliveries.registerHandler(NAMES.handler, FIXTURE_TIME));
  await expectOk(stores.apps.insertOnce(anApp({ appId, secrets: [aSecret({ hash: aHash(appId) })] })));
  await expectOk(stores.payTools.put(accountOf(appId)));
  const type = aServiceType({ appId, serviceTypeNo });
  await expectOk(stores.serviceTypes.insertOnce(type));
  await expectOk(stores.orders.insertOnce(orderOf({ appId, bizNo: pending }), anEntry()));
  const service = { serviceTypeNo, serviceName: type.serviceName, durationMs: type.durationMs };
  await expectOk(stores.orders.insertOnce({ ...orderOf({ appId, bizNo: paid }), service }, anEntry()));
  const payment = aPayment({ walletTradeNo: "4200000001", entry: anEntry({ type: "PAID", to: "PAID" }) });
  const move = { ...payment, extendService: { serviceNo: `S-${appId}` } };
  await expectOk(stores.orders.transition({ appId, bizNo: paid }, move));
  const claim = { id: NAMES.claimId, now: FIXTURE_TIME, lease: DAY, limit: 100 };
  await expectOk(stores.eventDeliveries.claimDue(NAMES.handler, claim));
  await expectOk(stores.refunds.request(refundOf(appId), anEntry({ type: "REFUND_REQUESTED" })));
  await requestApproval(stores, approvalOf(appId));
  await expectOk(stores.codes.add(aCode({ appId, phoneHash, codeHash }), tryLimits()));
  await expectOk(stores.sessions.identify(appId, [phoneHash], customerId, FIXTURE_TIME));
  await expectOk(stores.sessions.open(aSession({ appId, customerId, tokenHash }), 5));
  await expectOk(stores.downloads.upsert([[aCount({ appId })]]));
}

/** Reads all data of an app that can be read without changing it. */
export async function readAppRecords(stores: Stores, appId: string) {
  const { pending, paid, customerIdentity, customerId, tokenHash, day } = NAMES;
  const keys = [pending, paid].map((bizNo) => ({ appId, bizNo }));
  return {
    app: await expectOk(stores.apps.find(appId)),
    tool: await expectOk(stores.payTools.current(appId, "WALLET_A")),
    types: await expectOk(stores.serviceTypes.list(appId)),
    orders: await Promise.all(keys.map((key) => expectOk(stores.orders.find(key)))),
    timelines: await Promise.all(keys.map((key) => expectOk(stores.orders.timeline(key)))),
    listed: await expectOk(stores.orders.list({ appId, customerIdentity, offset: 0, limit: 10 })),
    refunds: await expectOk(stores.refunds.list({ appId, bizNo: paid })),
    approvals: await expectOk(stores.refundApprovals.listOfOrder({ appId, bizNo: paid })),
    services: await expectOk(stores.services.list(appId, customerIdentity)),
    sessionLive: await expectOk(stores.sessions.use({ appId, customerId, tokenHash }, FIXTURE_TIME + 1)),
    delivery: await expectOk(stores.eventDeliveries.find({ appId, bizNo: paid, handler: NAMES.handler })),
    counts: await expectOk(stores.downloads.read(appId, day, day)),
  };
}
