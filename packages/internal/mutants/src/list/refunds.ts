import type { Mutant } from "../mutant.js";
const REFUND_ORDER = "packages/core/src/refunds/refund-order.ts";
const PROCESS_REFUND = "packages/core/src/refunds/process-refund.ts";
const APPLY_REFUND = "packages/core/src/refunds/apply-wallet-refund.ts";
const APPLY_REFUSAL = "packages/core/src/refunds/apply-refusal.ts";
const MAKE_ABNORMAL = "packages/core/src/refunds/mark-abnormal.ts";
const PAY_OUT = "packages/core/src/refunds/apply-abnormal-refund.ts";
const SETTLE = "packages/core/src/refunds/settle-refund.ts";
const SCHEDULE = "packages/core/src/refunds/refund-schedule.ts";
const WALLET_REQUEST = "packages/core/src/refunds/wallet-refund-request.ts";
const PAYMENT_STATUS = "packages/core/src/orders/payment-status.ts";
const REFUND_STORE = "packages/memory/src/refund-store.ts";
const SERVICE_TIME_RULE = "packages/core/src/services/service-time.ts";
const SERVICE_TIME = "packages/memory/src/service-time.ts";

/** Mutants of refunds: never twice, never too much, and none forgotten. */
export const REFUNDS: readonly Mutant[] = [
  {
    name: "refund-sent-before-it-is-written",
    guards: "a refund is stored before the wallet is called",
    file: REFUND_ORDER,
    find: "const requestedResult = await ports.refunds.request(draft, entry, seen);",
    replace:
      "await ports.payTools.find(order.payToolId).andThen((account) => account === undefined ? ok(undefined) : ports.wallets[order.payChannel].refund(account, { outTradeNo: order.id, refundNo: `${order.id}-${refundNo}`, amount, orderAmount: order.amount, reason, notifyUrl: order.notifyUrl }, { deadline: ports.policy.walletDeadline }));\n    const requestedResult = await ports.refunds.request(draft, entry, seen);",
  },
  {
    name: "refund-number-of-the-previous-service",
    guards: "a refund of an imported order never takes the number of a refund that the wallet has already",
    file: REFUND_ORDER,
    find: 'if (order.notifyUrl !== "" || order.paymentStatus !== "PAID") return ok(undefined);',
    replace: "if (order.amount > 0) return ok(undefined);",
  },
  {
    name: "refund-number-with-another-amount",
    guards: "a repeated refund number with another amount is a conflict",
    file: REFUND_ORDER,
    find: "if (input.amount !== undefined && input.amount !== requested.refund.amount)",
    replace: "if (input.amount === -1)",
  },
  {
    name: "open-end-told-as-done",
    guards: "an operator gets a failure if the outcome of a refund is unknown",
    file: REFUND_ORDER,
    find: 'return definite ? ok(refund) : fail("refund.outcome-unknown");',
    replace: 'return definite || refund.amount > 0 ? ok(refund) : fail("refund.outcome-unknown");',
  },
  {
    name: "ended-refund-sent-again",
    guards: "a refund that ended during a query is not sent again",
    file: PROCESS_REFUND,
    find: "if (!isOpenRefund(stored.refund) || isAcceptedRefund(stored.refund))",
    replace:
      'if ((stored.refund.status !== "FAILED" && !isOpenRefund(stored.refund)) || isAcceptedRefund(stored.refund))',
  },
  {
    name: "failed-refund-asked-and-sent",
    guards: "a FAILED refund is never sent again",
    file: PROCESS_REFUND,
    find: "return isOpenRefund(refund) ? ask(one, refund) : ok({ refund, definite: true });",
    replace:
      'return isOpenRefund(refund) ? ask(one, refund) : refund.status === "FAILED" ? ask(one, { ...refund, status: "SENT" }) : ok({ refund, definite: true });',
  },
  {
    name: "sent-without-a-question",
    guards: "a refund that may have been sent is queried first",
    file: PROCESS_REFUND,
    find: "return sent.moved ? send(one, sent.refund) : ask(one, sent.refund);",
    replace: "return send(one, sent.refund);",
  },
  {
    name: "sent-again-after-silence",
    guards: "a query without a response never causes another send",
    file: PROCESS_REFUND,
    find: "if (isUntrustedAbsence(known.error)) {",
    replace: `if (known.error.name === "wallet.unknown") return sendAgain(one, refund);
      if (isUntrustedAbsence(known.error)) {`,
  },
  {
    name: "sent-again-on-an-unsigned-absence",
    guards: "an unsigned absence must last for a delay before a refund is sent again",
    file: PROCESS_REFUND,
    find: "if (conclusiveAt <= calledAt) return sendAgain(one, refund);",
    replace: "return sendAgain(one, refund);",
  },
  {
    name: "abnormal-refund-sent-again",
    guards: "an ABNORMAL refund is never sent again",
    file: PROCESS_REFUND,
    find: "if (!isAcceptedRefund(refund)) {",
    replace: "if (refund.amount > 0) {",
  },
  {
    name: "no-alarm-without-an-end",
    guards: "an overdue refund raises an alarm",
    file: PROCESS_REFUND,
    find: "age < ports.policy.refundOverdue)",
    replace: "age < 2 * ports.policy.refundOverdue)",
  },
  {
    name: "limited-calls-not-spaced",
    guards: "a rate limit doubles the pause before the next query",
    file: SCHEDULE,
    find: "return rateLimited ? next + (next - now) : next;",
    replace: "return next;",
  },
  {
    name: "schedule-too-eager",
    guards: "two queries about a refund have at least the first pause between them",
    file: SCHEDULE,
    find: "const planned = gmtModified + ageFrom(now - gmtModified + shortest, refundSchedule);",
    replace: "const planned = gmtModified + ageFrom(now - gmtModified + 1, refundSchedule);",
  },
  {
    name: "silence-taken-for-failure",
    guards: "a missing response does not make a refund FAILED",
    file: PROCESS_REFUND,
    find: 'if (answer.error.name === "wallet.unknown") {',
    replace: `if (answer.error.name === "wallet.unknown") {
      const silence = { reason: "other", proven: true, detail: "", absenceTrusted: true, calledAt } as const;
      if (order.amount > 0) return applyRefusal(ports, order, refund, silence);`,
  },
  {
    name: "retried-under-a-new-number",
    guards: "a refund is sent again under the same number",
    file: WALLET_REQUEST,
    find: "refundNo: outRefundNo(order, refund),",
    replace: 'refundNo: outRefundNo(order, refund) + (refund.status === "SENT" ? "x" : ""),',
  },
  {
    name: "unsigned-refusal-applied-at-once",
    guards: "an unsigned refusal must last for a delay before it ends a refund",
    file: APPLY_REFUSAL,
    find: "if (!trusted || !absenceTrusted) {",
    replace: "if (!absenceTrusted) {",
  },
  {
    name: "refund-failed-on-an-unproven-absence",
    guards: "an unsigned absence does not end a refund at once",
    file: APPLY_REFUSAL,
    find: "if (!trusted || !absenceTrusted) {",
    replace: "if (!trusted) {",
  },
  {
    name: "failed-for-lack-of-money",
    guards: "a refund never fails for lack of money",
    file: APPLY_REFUSAL,
    find: 'if (reason === "funds")',
    replace: 'if (reason === "funds" && order.amount < 0)',
  },
  {
    name: "alarm-with-every-try",
    guards: "a refund that waits for money raises one alarm",
    file: APPLY_REFUSAL,
    find: 'if (refund.status === "WAITING_FOR_FUNDS") {',
    replace: "if (refund.amount < 0) {",
  },
  {
    name: "refusal-not-looked-up",
    guards: "after a refusal, a query decides whether the wallet made the refund",
    file: PROCESS_REFUND,
    find: "if (!waits) return applyStatement(one, refund, known.value);",
    replace: "",
  },
  {
    name: "waits-for-money-unnoticed",
    guards: "a refund that waits for money raises its alarm even if the wallet knows its number",
    file: PROCESS_REFUND,
    find: "if (!waits) return",
    replace: "return",
  },
  {
    name: "accepted-refund-refused",
    guards: "a refusal does not fail a refund that the wallet accepted in the meantime",
    file: APPLY_REFUSAL,
    find: "failRefund(ports, order, refund, { refusal: detail, unlessAccepted: true })",
    replace: "failRefund(ports, order, refund, { refusal: detail })",
  },
  {
    name: "accepted-refund-rejected",
    guards: "a refusal does not fail a refund that the wallet accepted in the meantime",
    file: REFUND_STORE,
    find: "!(unlessAccepted && isAcceptedRefund(refund))",
    replace: '!(unlessAccepted && refund.status === "ABNORMAL")',
  },
  {
    name: "refusal-stands-at-once",
    guards: "the delay of an unsigned refusal starts with the first refusal",
    file: APPLY_REFUSAL,
    find: "const conclusiveAt = firstAt + ports.policy.unsignedRefusalDelay;",
    replace: "const conclusiveAt = firstAt;",
  },
  {
    name: "refusal-as-old-as-its-hearing",
    guards: "a refusal counts as of the time of the call",
    file: APPLY_REFUSAL,
    find: "if (conclusiveAt > calledAt) {",
    replace: "if (conclusiveAt > ports.clock.now()) {",
  },
  {
    name: "refund-of-another-merchant",
    guards: "only the order's merchant confirms its refunds",
    file: APPLY_REFUND,
    find: "if (!sameMerchant || stated.outTradeNo",
    replace: "if (stated.outTradeNo",
  },
  {
    name: "refund-of-another-order",
    guards: "only a report about its own order confirms a refund",
    file: APPLY_REFUND,
    find: "|| stated.outTradeNo !== order.id ||",
    replace: "||",
  },
  {
    name: "refund-of-another-amount",
    guards: "only a report of its own amount confirms a refund",
    file: APPLY_REFUND,
    find: " || stated.amount !== refund.amount) {",
    replace: ") {",
  },
  {
    name: "foreign-refund-acknowledged",
    guards: "a notification about an unknown refund is not acknowledged",
    file: APPLY_REFUND,
    find: "return ok({ fits: false });",
    replace: "return ok({ fits: true });",
  },
  {
    name: "mismatched-refund-acknowledged",
    guards: "a notification that does not match its refund is not acknowledged",
    file: APPLY_REFUND,
    find: "return ok({ refund, fits: false });",
    replace: "return ok({ refund, fits: true });",
  },
  {
    name: "late-confirmation-without-alarm",
    guards: "a refund that is confirmed after it failed raises an alarm",
    file: APPLY_REFUND,
    find: 'const late = refund.status === "FAILED";',
    replace: "const late = refund.amount < 0;",
  },
  {
    name: "refund-matched-by-a-prefix",
    guards: "a refund is matched by its whole number",
    file: APPLY_REFUND,
    find: "outRefundNo(order, made) === stated.refundNo",
    replace: "stated.refundNo.startsWith(outRefundNo(order, made))",
  },
  {
    name: "refund-matched-by-its-beginning",
    guards: "a refund is never matched by a part of its number",
    file: APPLY_REFUND,
    find: "outRefundNo(order, made) === stated.refundNo",
    replace: "outRefundNo(order, made).startsWith(stated.refundNo)",
  },
  {
    name: "paid-twice-without-alarm",
    guards: "a refund that is confirmed after it was settled raises an alarm",
    file: APPLY_REFUND,
    find: 'if (result.refund.status === "SETTLED" && !toMerchant) {',
    replace: "if (result.refund.amount < 0) {",
  },
  {
    name: "money-to-the-merchant-without-alarm",
    guards: "a refund whose money went to the merchant raises an alarm",
    file: APPLY_REFUND,
    find: "alarm: late || toMerchant,",
    replace: "alarm: late,",
  },
  {
    name: "abnormal-without-alarm",
    guards: "an abnormal refund raises an alarm",
    file: MAKE_ABNORMAL,
    find: `if (result?.moved === true) {
      emitRefundMoved(ports, result, "ABNORMAL");
      emitAlarm(ports, order, entry);`,
    replace: `if (result?.moved === true) {
      emitRefundMoved(ports, result, "ABNORMAL");`,
  },
  {
    name: "old-notification-undoes-a-payout",
    guards: "an old notification does not undo a later action of an operator",
    file: MAKE_ABNORMAL,
    find: "if (seen === undefined && times > 0) {",
    replace: "if (seen === undefined && times > 99) {",
  },
  {
    name: "payout-without-a-claim",
    guards: "an abnormal refund is paid out once, and never after a settlement",
    file: PAY_OUT,
    find: 'if (!claimed.moved) return fail("refund.status-conflict", { status: claimed.refund.status });',
    replace: "",
  },
  {
    name: "payout-without-a-question",
    guards: "a refund is paid out only while the wallet reports it as abnormal",
    file: PAY_OUT,
    find: 'if (stated.state !== "ABNORMAL" || current.status !== "ABNORMAL" || !isOpenRefund(current))',
    replace: "if (!isOpenRefund(asked))",
  },
  {
    name: "card-on-the-timeline",
    guards: "no card number is stored",
    file: PAY_OUT,
    find: "{ amount, to: input.payTo }",
    replace: "{ amount, ...input, to: input.payTo }",
  },
  {
    name: "settled-without-a-question",
    guards: "the wallet is queried before a refund is settled",
    file: SETTLE,
    find: 'if (refund.status === "ABNORMAL" || refund.status === "FAILED") {',
    replace: "if (refund.amount < 0) {",
  },
  {
    name: "refunds-above-the-amount",
    guards: "the sum of refunds never exceeds the paid amount",
    file: REFUND_STORE,
    find: 'if (refund.amount > remaining) return { kind: "exceeds-remaining", order, remaining };',
    replace: "",
  },
  {
    name: "two-refunds-in-flight",
    guards: "an order has at most one refund in progress",
    file: REFUND_STORE,
    find: 'if (open !== undefined) return { kind: "in-progress", order, refund: open };',
    replace: "",
  },
  {
    name: "refund-number-not-looked-up",
    guards: "a repeated refund number returns the existing refund",
    file: REFUND_STORE,
    find: 'if (known !== undefined) return { kind: "held", order, refund: known };',
    replace: "",
  },
  {
    name: "refund-of-an-unpaid-order",
    guards: "only a PAID order can be refunded",
    file: REFUND_STORE,
    find: 'if (order.paymentStatus !== "PAID") return { kind: "not-paid", order };',
    replace: "",
  },
  {
    name: "confirmed-twice",
    guards: "a confirmed refund counts once",
    file: REFUND_STORE,
    find: 'move(key, refundNo, isIn([...OPEN_REFUND_STATUSES, "FAILED"]), (stored, refund) => {',
    replace:
      'move(key, refundNo, isIn([...OPEN_REFUND_STATUSES, "FAILED", "CONFIRMED"]), (stored, refund) => {',
  },
  {
    name: "settled-refund-confirmed",
    guards: "a settled refund counts once",
    file: REFUND_STORE,
    find: 'move(key, refundNo, isIn([...OPEN_REFUND_STATUSES, "FAILED"]), (stored, refund) => {',
    replace:
      'move(key, refundNo, isIn([...OPEN_REFUND_STATUSES, "FAILED", "SETTLED"]), (stored, refund) => {',
  },
  {
    name: "confirmed-refund-fails",
    guards: "a confirmed refund stays confirmed",
    file: REFUND_STORE,
    find: "isOpenRefund(refund) && !(unlessAccepted",
    replace: '(isOpenRefund(refund) || refund.status === "CONFIRMED") && !(unlessAccepted',
  },
  {
    name: "late-confirmation-ignored",
    guards: "a confirmed amount counts, even after a failure",
    file: REFUND_STORE,
    find: 'move(key, refundNo, isIn([...OPEN_REFUND_STATUSES, "FAILED"]), (stored, refund) => {',
    replace: "move(key, refundNo, isOpenRefund, (stored, refund) => {",
  },
  {
    name: "final-refund-marked-sent",
    guards: "a refund that ended is not opened again",
    file: REFUND_STORE,
    find: 'move(key, refundNo, isIn(["REQUESTED"]), (stored, refund) => {',
    replace: 'move(key, refundNo, isIn(["REQUESTED", "CONFIRMED", "FAILED"]), (stored, refund) => {',
  },
  {
    name: "ended-refund-progresses",
    guards: "a refund that ended does not change",
    file: REFUND_STORE,
    find: "isOpenRefund(refund) && isAsSeen(refund)",
    replace: "(isAsSeen(refund) || !isOpenRefund(refund))",
  },
  {
    name: "progress-over-a-change",
    guards: "a refund changes only if it is as the caller read it",
    file: REFUND_STORE,
    find: "status === seen.status && gmtModified === seen.gmtModified;",
    replace: "status === seen.status && gmtModified > 0;",
  },
  {
    name: "waiting-refund-reserves-nothing",
    guards: "a waiting refund keeps its reserved amount",
    file: REFUND_STORE,
    find: ".filter((refund) => isOpenRefund(refund) && refund.refundNo",
    replace: '.filter((refund) => refund.status === "SENT" && refund.refundNo',
  },
  {
    name: "settled-above-the-amount",
    guards: "a refund is settled only within the remaining amount",
    file: REFUND_STORE,
    find: 'if (before.amount > remaining) return { kind: "exceeds-remaining", refund: before, order, remaining };',
    replace: "",
  },
  {
    name: "settled-in-any-status",
    guards: "only an ABNORMAL or FAILED refund can be settled",
    file: REFUND_STORE,
    find: 'if (before.status !== "ABNORMAL" && before.status !== "FAILED")',
    replace: 'if (before.status === "SETTLED")',
  },
  {
    name: "whole-refund-leaves-one-number",
    guards: "event numbers continue after a full refund",
    file: "packages/memory/src/timeline.ts",
    find: "seq: timeline.length + 1,",
    replace: 'seq: timeline.length + (entry.type === "REFUNDED" ? 2 : 1),',
  },
  {
    name: "due-refund-without-lease",
    guards: "a due refund is claimed by one worker",
    file: REFUND_STORE,
    find: "put(state, stored, { ...refund, nextTryAt: now + lease })",
    replace: "put(state, stored, { ...refund, nextTryAt: now })",
    twin: "sql-due-order-without-lease",
  },
  {
    name: "part-taken-for-the-whole",
    guards: "an order becomes REFUND when its whole amount is refunded",
    file: PAYMENT_STATUS,
    find: 'return paymentStatus === "PAID" && refundedAmount >= amount;',
    replace: 'return paymentStatus === "PAID";',
  },
  {
    name: "refund-leaves-the-time",
    guards: "a full refund revokes the service time",
    file: REFUND_STORE,
    find: `    takeBackTime(state, stored.order);
`,
    replace: "",
  },
  {
    name: "time-granted-twice",
    guards: "an order extends the service once",
    file: SERVICE_TIME,
    find: "if (stored.grants.has(id)) return;",
    replace: "",
  },
  {
    name: "time-from-now-on",
    guards: "an extension is added to the remaining service time",
    file: SERVICE_TIME_RULE,
    find: "return Math.max(at, expireTime) + durationMs;",
    replace: "return at + durationMs;",
    needsContract: true,
  },
];
