import type { Mutant } from "../mutant.js";
const CLOSE_ORDER = "packages/core/src/operations/close-order.ts";
const ACCOUNT_OF = "packages/core/src/pay-tools/find-order-account.ts";
const VERIFY_NOTIFICATION = "packages/core/src/wallets/verify-notification.ts";
const QUERY_SCHEDULE = "packages/core/src/orders/query-schedule.ts";
const POLL_ORDER = "packages/core/src/orders/poll-order.ts";
const CALL_WALLET = "packages/core/src/wallets/call-wallet.ts";
const PAYLOAD_TIME = "packages/core/src/wallets/payload-time.ts";
const PREPAY_ORDER = "packages/core/src/orders/prepay-order.ts";
const CLOSE_UNPAID = "packages/core/src/orders/close-unpaid-order.ts";
const REFRESH_ORDER = "packages/core/src/orders/refresh-order.ts";
const TRANSITION_ORDER = "packages/core/src/orders/transition-order.ts";
const APPLY_WALLET_ORDER = "packages/core/src/orders/apply-wallet-order.ts";
const ORDER_ALARM = "packages/core/src/orders/order-alarm.ts";
const RECEIVE_NOTIFICATION = "packages/core/src/operations/receive-notification.ts";
const RECONCILE_ORDERS = "packages/core/src/operations/reconcile-orders.ts";
const GET_ORDER = "packages/core/src/orders/get-order.ts";
const NOTIFICATIONS = "packages/core/src/http/notifications/surface.ts";

/** Mutants of the core's rules about calls to a wallet and the use of its answers. */
export const BETWEEN_CORE_AND_WALLETS: readonly Mutant[] = [
  {
    name: "pay-tool-with-one-problem-ready",
    guards: "a pay tool with one problem is not OK",
    file: "packages/core/src/pay-tools/sign-status.ts",
    find: 'problems.length === 0 ? "OK" : "NO"',
    replace: 'problems.length <= 1 ? "OK" : "NO"',
    needsContract: true,
  },
  {
    name: "settled-refund-repeated-unnoticed",
    guards: "a refund that the wallet confirms after it was settled raises an alarm",
    file: APPLY_WALLET_ORDER,
    find: `if (statement.state === "REFUNDED" &&`,
    replace: `if (statement.state === "REFUNDED" && current.paymentStatus !== "REFUND" &&`,
  },
  {
    name: "late-payment-without-its-time",
    guards: "a late payment extends the customer's service",
    file: APPLY_WALLET_ORDER,
    find: "...(order.service === undefined ? {} : { extendService",
    replace: "...(order.service === undefined || late ? {} : { extendService",
    needsContract: true,
  },
  {
    name: "adapter-that-throws-taken-for-a-no",
    guards: "a wallet adapter that throws leaves the outcome unknown",
    file: CALL_WALLET,
    find: 'return err({ name: "wallet.unknown", cause: "network", detail: "the wallet adapter threw" });',
    replace:
      'return err({ name: "wallet.rejected", reason: "absent", trusted: true, detail: "the wallet adapter threw" } as never);',
  },
  {
    name: "unproven-absence-told-as-a-refusal",
    guards: "an unsigned absence is not treated as the wallet's refusal",
    file: CALL_WALLET,
    find: 'if (isUntrustedAbsence(failure)) return "bad-answer";',
    replace: "",
  },
  {
    name: "open-outcome-told-as-a-refusal",
    guards: "if the wallet does not respond, the caller gets a failure that can be retried",
    file: CALL_WALLET,
    find: 'if (failure.name === "wallet.rejected") return "rejected";\n  return failure.cause',
    replace:
      'if (failure.name === "wallet.rejected" || failure.cause === "timeout") return "rejected";\n  return failure.cause',
  },
  {
    name: "old-order-asked-at-the-new-merchant",
    guards: "an order keeps the account it was created with",
    file: ACCOUNT_OF,
    find: "const account = await payTools.find(payToolId);",
    replace: `const old = await payTools.find(payToolId);
    if (old.isErr()) return old;
    const account = old.value === undefined ? old : await ports.payTools.current(old.value.appId, old.value.payChannel);`,
  },
  {
    name: "wallet-told-another-order-number",
    guards: "the wallet gets the order's id as its number, not a text of the caller",
    file: PREPAY_ORDER,
    find: "outTradeNo: id,",
    replace: "outTradeNo: order.bizNo,",
  },
  {
    name: "wallet-told-another-expiry",
    guards: "a repeated creation uses the same order at the wallet",
    file: PREPAY_ORDER,
    find: "const { id, amount, goodsTitle, paySource, payerId, notifyUrl, returnUrl, expiresAt } = order;",
    replace:
      "const { id, amount, goodsTitle, paySource, payerId, notifyUrl, returnUrl } = order;\n  const expiresAt = order.expiresAt + (order.prepayment?.issuedAt ?? order.gmtCreate);",
  },
  {
    name: "claim-shorter-than-the-call",
    guards: "a claim lasts as long as a wallet call may take",
    file: "packages/core/src/wallets/claim-lease.ts",
    find: "return walletDeadline + 2_000;",
    replace: "return walletDeadline / 2;",
  },
  {
    name: "claim-kept-after-a-failure",
    guards: "a failed call releases its claim at once",
    file: PREPAY_ORDER,
    find: "await ports.orders.releasePrepayment(keyOf(order), claimId);",
    replace: "ok(undefined);",
  },
  {
    name: "payload-of-an-order-paid-meanwhile",
    guards: "an order that was paid during the wallet call gets no new payload",
    file: PREPAY_ORDER,
    find: `if (current.value !== undefined) {
        const payable = requirePayable(current.value, now);`,
    replace: `if (current.value === undefined) {
        const payable = requirePayable(order, now);`,
  },
  {
    name: "own-prepayment-preferred-to-the-winner",
    guards: "if two prepayments exist, every caller gets the stored one",
    file: PREPAY_ORDER,
    find: "prepayment: current.value?.prepayment ?? answer.value });",
    replace: "prepayment: answer.value });",
  },
  {
    name: "refused-prepayment-without-alarm",
    guards: "a refused prepayment is recorded in the timeline",
    file: PREPAY_ORDER,
    find: 'if (failure.name === "wallet.rejected") {',
    replace: 'if (failure.name === "wallet.rejected" && order.amount < 0) {',
  },
  {
    name: "two-refusals-are-one-alarm",
    guards: "two different refusals of a prepayment are two alarms",
    file: PREPAY_ORDER,
    find: "evidence: ports.digest.sha256(failure.detail),",
    replace: "evidence: ports.digest.sha256(order.id),",
  },
  {
    name: "refusal-not-followed-up",
    guards: "a refusal may say that the order was paid",
    file: PREPAY_ORDER,
    find: 'if (failure.name === "wallet.rejected" && !UNSENT.has(failure.reason)) {',
    replace: 'if (failure.name === "wallet.rejected" && UNSENT.has(failure.reason)) {',
  },
  {
    name: "mismatched-order-closed",
    guards: "an order is not closed if the wallet reports another payment",
    file: REFRESH_ORDER,
    find: 'if (mismatch || after.paymentStatus !== "PENDING") return ok(after);',
    replace: 'if (after.paymentStatus !== "PENDING") return ok(after);',
  },
  {
    name: "close-takes-its-time-twice",
    guards: "all calls of one query share one deadline",
    file: "packages/core/src/wallets/limits-until.ts",
    find: "return { deadline: Math.max(1, until - clock.now()) };",
    replace: "return { deadline: until };",
  },
  {
    name: "contradiction-taken-for-an-answer",
    guards: 'a contradiction between "paid" and "unknown" is not a result',
    file: CLOSE_UNPAID,
    find: "if (statement.value === undefined) return err(CONTRADICTION);",
    replace: "if (statement.value === undefined) return ok(order);",
  },
  {
    name: "closed-order-not-asked-about",
    guards: "a query finds a payment after the close",
    file: REFRESH_ORDER,
    find: 'if (order.paymentStatus !== "PENDING" && order.paymentStatus !== "CLOSE") return ok(order);',
    replace: 'if (order.paymentStatus !== "PENDING") return ok(order);',
  },
  {
    name: "payment-without-its-evidence",
    guards: "the timeline contains the digest of the data that the wallet signed",
    file: APPLY_WALLET_ORDER,
    find: `      to: "PAID",
      evidence: statement.evidence,`,
    replace: '      to: "PAID",\n      evidence: order.id,',
  },
  {
    name: "payment-dated-by-its-arrival",
    guards: "a payment has the time that the wallet states",
    file: APPLY_WALLET_ORDER,
    find: "pmtDt: plausible ? paidAt : at,",
    replace: "pmtDt: at,",
  },
  {
    name: "second-payment-unseen",
    guards: "a second payment of an order raises an alarm",
    file: APPLY_WALLET_ORDER,
    find: 'if (contradiction?.type === "SECOND_PAYMENT") {',
    replace: 'if (contradiction?.type === "SECOND_PAYMENT" && order.amount < 0) {',
  },
  {
    name: "payment-without-the-wallets-number",
    guards: "the wallet's number of a payment is stored",
    file: APPLY_WALLET_ORDER,
    find: "...(statement.walletTradeNo === undefined ? {} : { walletTradeNo: statement.walletTradeNo }),",
    replace: "",
  },
  {
    name: "one-mismatch-hides-the-next",
    guards: "every message that does not match raises its own alarm",
    file: APPLY_WALLET_ORDER,
    find: `eventWith("MISMATCH", { about: "order", source, differences }),
        evidence: statement.evidence,`,
    replace: 'eventWith("MISMATCH", { about: "order", source, differences }),\n        evidence: order.id,',
  },
  {
    name: "alarm-without-its-event",
    guards: "the observer receives an event for every alarm",
    file: ORDER_ALARM,
    find: "if (isNew) emitAlarm(ports, order, entry);",
    replace: "if (!isNew) emitAlarm(ports, order, entry);",
  },
  {
    name: "transition-without-its-event",
    guards: "the observer receives an event for every transition",
    file: TRANSITION_ORDER,
    find: "if (!moved) return ok(result);\n    emit(",
    replace: "if (moved) return ok(result);\n    emit(",
  },
  {
    name: "notification-of-another-channel",
    guards: "a message of one wallet is not parsed as the other wallet's",
    file: VERIFY_NOTIFICATION,
    find: "if (payTool.value?.payChannel !== address.payChannel) return",
    replace: "if (payTool.value === undefined) return",
  },
  {
    name: "notification-of-any-age",
    guards: "a notification that is older than the policy allows is refused",
    file: VERIFY_NOTIFICATION,
    find: "skew: ports.policy.notificationSkew };",
    replace: "skew: ports.policy.notificationSkew * 1_000_000 };",
  },
  {
    name: "refused-notification-untold",
    guards: "the observer receives an event for every refused notification",
    file: RECEIVE_NOTIFICATION,
    find: 'emit(ports, { type: "notification.refused", payChannel, reason: error.reason });',
    replace: ";",
  },
  {
    name: "notification-cut-short-acknowledged",
    guards: "a notification that is too large is not acknowledged",
    file: NOTIFICATIONS,
    find: `if (body === "too-large") return answerWith(acknowledge(false));`,
    replace: `if (body === "too-large") return answerWith(acknowledge(true));`,
  },
  {
    name: "notification-by-any-method",
    guards: "a wallet reports by POST, and a browser returns by GET",
    file: NOTIFICATIONS,
    find: 'method === "POST" ? readNotificationPath(path) : undefined;',
    replace: "readNotificationPath(path);",
  },
  {
    name: "closed-order-asked-about-for-ever",
    guards: "a closed order is queried exactly once more",
    file: POLL_ORDER,
    find: "nextQueryAt(order, calledAt, ports.policy) : undefined;",
    replace: "nextQueryAt(order, calledAt, ports.policy) : calledAt + ports.policy.workLease;",
  },
  {
    name: "next-question-at-once",
    guards: "an open order is queried on the schedule",
    file: QUERY_SCHEDULE,
    find: "const ahead = moments.filter((moment) => moment > calledAt);",
    replace: "const ahead = moments.filter((moment) => moment >= gmtCreate);",
  },
  {
    name: "closable-order-not-asked-about",
    guards: "an order is queried when it can be closed",
    file: QUERY_SCHEDULE,
    find: "closable, closable + unsignedRefusalDelay];",
    replace: "closable + unsignedRefusalDelay];",
  },
  {
    name: "workers-share-an-order",
    guards: "a claimed order is not due again before its lease ends",
    file: RECONCILE_ORDERS,
    find: "ports.orders.claimDue(now, limit, workLease);",
    replace: "ports.orders.claimDue(now, limit, 0);",
  },
  {
    name: "payload-of-a-minute-ago",
    guards: "a payload is signed anew after a minute",
    file: PAYLOAD_TIME,
    find: "return now < issuedAt + SHARED_PAYLOAD ? issuedAt : now;",
    replace: "return issuedAt < now ? issuedAt : now;",
  },
  {
    name: "racers-get-different-payloads",
    guards: "all callers get the same payload in the first minute of a prepayment",
    file: PAYLOAD_TIME,
    find: "return now < issuedAt + SHARED_PAYLOAD ? issuedAt : now;",
    replace: "return now;",
  },
  {
    name: "expired-order-not-settled",
    guards: 'an expired order is queried before the caller gets "closed"',
    file: "packages/core/src/orders/require-payable.ts",
    find: "return requirePayable(current, clock.now());",
    replace: "return requirePayable(order, clock.now());",
  },
  {
    name: "read-fails-with-the-wallet",
    guards: "if the wallet does not respond, a read returns the stored order",
    file: GET_ORDER,
    find: "return ok(await refreshIfDue(ports, order).unwrapOr(order));",
    replace: `const refresh = await refreshIfDue(ports, order); return refresh.isErr() ? fail("order.not-found") : ok(refresh.value);`,
  },
  {
    name: "read-waits-as-long-as-a-creation",
    guards: "a read waits for the wallet at most until its own deadline",
    file: REFRESH_ORDER,
    find: "refreshOrder(ports, order, refreshDeadline)",
    replace: "refreshOrder(ports, order, ports.policy.walletDeadline)",
  },
  {
    name: "paid-order-closed-by-an-operator",
    guards: "an operator can close only PENDING orders",
    file: CLOSE_ORDER,
    find: "    if (open.isErr()) return open;\n",
    replace: "",
  },
];
