import type { Mutant } from "../mutant.js";
const APPLY_PAYMENT_NOTIFICATION = "packages/core/src/orders/apply-payment-notification.ts";
const POLL_ORDER = "packages/core/src/orders/poll-order.ts";
const APPLY_WALLET_ORDER = "packages/core/src/orders/apply-wallet-order.ts";
const DIFFERENCES = "packages/core/src/orders/statement-differences.ts";
const CLOSE_UNPAID = "packages/core/src/orders/close-unpaid-order.ts";
const REFRESH_ORDER = "packages/core/src/orders/refresh-order.ts";
const PREPAY_ORDER = "packages/core/src/orders/prepay-order.ts";
const ORDER_STORE = "packages/memory/src/orders/order-store.ts";
const TIMELINE = "packages/memory/src/timeline/timeline.ts";
const CORE_TIMELINE = "packages/core/src/orders/timeline.ts";

/**
 * Mutants of order transitions: the wallet's answer, the time to pay, and when the wallet is
 * queried.
 */
export const PAYMENTS: readonly Mutant[] = [
  {
    name: "payment-of-another-amount",
    guards: "only a payment of the order's amount makes the order PAID",
    file: DIFFERENCES,
    find: "const amountFits = statement.amount === order.amount || (silent && statement.amount === undefined);",
    replace: "const amountFits = true;",
  },
  {
    name: "payment-without-an-amount",
    guards: "a payment without an amount is refused",
    file: DIFFERENCES,
    find: "(silent && statement.amount === undefined)",
    replace: "statement.amount === undefined",
  },
  {
    name: "payment-in-another-currency",
    guards: "only a payment in CNY makes an order PAID",
    file: DIFFERENCES,
    find: `const currencyFits = statement.currency === "CNY" || (silent && statement.currency === undefined);`,
    replace: "const currencyFits = true;",
  },
  {
    name: "payment-to-another-merchant",
    guards: "only a payment to the order's merchant makes it PAID",
    file: DIFFERENCES,
    find: `isSameMerchant(account, statement) ? [] : (["merchant"] as const),`,
    replace: "",
  },
  {
    name: "payment-to-another-app",
    guards: "only a payment to the order's wallet app makes it PAID",
    file: DIFFERENCES,
    find: `statement.walletAppId === account.walletAppId ? [] : (["app-id"] as const),`,
    replace: "",
  },
  {
    name: "payment-of-another-order",
    guards: "a wallet's report applies only to the order that it names",
    file: DIFFERENCES,
    find: `statement.outTradeNo === order.id ? [] : (["order-number"] as const),`,
    replace: "",
  },
  {
    name: "open-taken-for-paid",
    guards: "an order the customer has not paid stays PENDING",
    file: APPLY_WALLET_ORDER,
    find: `if (statement.state === "OPEN") return ok({ order, mismatch: false });`,
    replace: "",
  },
  {
    name: "late-payment-ignored",
    guards: "an order that is paid after the close becomes PAID",
    file: APPLY_WALLET_ORDER,
    find: "if (!canBecomePaid(from)) return undefined;",
    replace: 'if (from !== "PENDING") return undefined;',
  },
  {
    name: "late-payment-without-alarm",
    guards: "a payment after the close raises an alarm",
    file: APPLY_WALLET_ORDER,
    find: "alarm: late,",
    replace: "alarm: false,",
  },
  {
    name: "payment-lost-in-a-race",
    guards: "a payment that races with a close is recorded",
    file: APPLY_WALLET_ORDER,
    find: "if (moved || after.paymentStatus === change.from) break;",
    replace: "break;",
  },
  {
    name: "mismatch-acknowledged",
    guards: "a message that does not match the order is not acknowledged",
    file: APPLY_WALLET_ORDER,
    find: "return ok({ order, mismatch: true });",
    replace: "return ok({ order, mismatch: false });",
  },
  {
    name: "foreign-refund-without-alarm",
    guards: "a refund that Tillkit did not make raises an alarm",
    file: APPLY_WALLET_ORDER,
    find: `if (refunds.value.every(isRefundUnknownToWallet)) {
        const alarm =`,
    replace: `if (refunds.value.length < 0) {
        const alarm =`,
  },
  {
    name: "closed-before-the-margin",
    guards: "an order is closed only after the margin for late payments",
    file: "packages/core/src/orders/is-past-expiry-margin.ts",
    find: "return calledAt >= expiresAt + expiryMargin + more;",
    replace: "return calledAt >= expiresAt + more;",
  },
  {
    name: "early-close-forgotten",
    guards: "an order that was closed while a payload was valid is queried once more",
    file: CLOSE_UNPAID,
    find: 'details: { atWallet: "not-there-yet" } }, nextQueryAt);',
    replace: 'details: { atWallet: "not-there-yet" } });',
  },
  {
    name: "paid-taken-for-closed",
    guards: "a close after the payment does not change the order",
    file: CLOSE_UNPAID,
    find: 'if (outcome.value !== "paid")',
    replace: "if (outcome.value.length > 0)",
  },
  {
    name: "absence-as-old-as-its-hearing",
    guards: "a wallet's response counts as of the time of the query",
    file: REFRESH_ORDER,
    find: 'if (order.paymentStatus === "CLOSE" || !isPastExpiryMargin(ports.policy, order, calledAt))',
    replace:
      'if (order.paymentStatus === "CLOSE" || !isPastExpiryMargin(ports.policy, order, ports.clock.now()))',
  },
  {
    name: "unsigned-absence-applied-at-once",
    guards: "an unsigned absence must last for a delay before it closes an order",
    file: "packages/core/src/orders/can-close-order-unknown-to-wallet.ts",
    find: "isPastExpiryMargin(policy, order, calledAt, policy.unsignedRefusalDelay)",
    replace: "isPastExpiryMargin(policy, order, calledAt)",
  },
  {
    name: "closed-without-its-wallet",
    guards: "an order is closed at the wallet before it is closed in Tillkit",
    file: REFRESH_ORDER,
    find: "if (statement === undefined) {",
    replace: 'if (account.id !== "") {',
  },
  {
    name: "silence-taken-for-absence",
    guards: "a missing response does not change an order",
    file: REFRESH_ORDER,
    find: "if (answer.isErr() && !canCloseOrderUnknownToWallet(ports.policy, order, answer.error, calledAt)) {",
    replace: 'if (answer.isErr() && order.id === "") {',
  },
  {
    name: "prepayment-without-a-claim",
    guards: "one caller at a time requests the prepayment from the wallet",
    file: PREPAY_ORDER,
    find: "if (outcome.value?.granted === true)",
    replace: "if (outcome.value !== undefined)",
  },
  {
    name: "payable-after-its-time",
    guards: "an expired order returns no payload",
    file: "packages/core/src/orders/require-payable.ts",
    find: '(now < open.expiresAt ? ok(open) : fail("order.closed"))',
    replace: "ok(open)",
  },
  {
    name: "notification-of-another-order",
    guards: "a message about one order does not change another order",
    file: APPLY_PAYMENT_NOTIFICATION,
    find: "if (order.value === undefined || order.value.id !== outTradeNo) return",
    replace: "if (order.value === undefined) return",
  },
  {
    name: "notification-to-another-account",
    guards: "only messages for the order's own pay tool change the order",
    file: APPLY_PAYMENT_NOTIFICATION,
    find: `return order.value.payToolId === account.id ? ok(order.value) : notAccepted("unknown-account");`,
    replace: "return ok(order.value);",
  },
  {
    name: "mismatched-notification-taken",
    guards: "the wallet gets a refusal for a message that does not match",
    file: APPLY_PAYMENT_NOTIFICATION,
    find: `return outcome.value.mismatch ? notAccepted("mismatch") : ok(outcome.value.order);`,
    replace: "return ok(outcome.value.order);",
  },
  {
    name: "acknowledged-but-not-stored",
    guards: "a message is acknowledged only after its facts are stored",
    file: APPLY_PAYMENT_NOTIFICATION,
    find: "if (outcome.isErr()) return outcome;",
    replace: "if (outcome.isErr()) return ok(order.value);",
  },
  {
    name: "order-given-up-in-an-outage",
    guards: "the last query about an order is repeated until the wallet responds",
    file: POLL_ORDER,
    find: "schedule(keyOf(order), next ?? repeatAt)",
    replace: "schedule(keyOf(order), next)",
  },
  {
    name: "order-inserted-over-another",
    guards: "a bizNo identifies one order forever",
    file: ORDER_STORE,
    find: "(stored(order) ?? insert(state, order, entry)).order",
    replace: "insert(state, order, entry).order",
    twin: "sql-order-inserted-twice",
  },
  {
    name: "transition-without-compare",
    guards: "a transition applies only to the expected status",
    file: ORDER_STORE,
    find: "const moved = target.order.paymentStatus === change.from;",
    replace: "const moved = true;",
  },
  {
    name: "alarm-recorded-twice",
    guards: "a repeated message raises one alarm",
    file: ORDER_STORE,
    find: "if (target === undefined || isKnown(target, entry)) return false;",
    replace: "if (target === undefined) return false;",
  },
  {
    name: "due-order-without-lease",
    guards: "a due order is claimed by one worker",
    file: ORDER_STORE,
    find: "nextQueryAt: now + lease",
    replace: "nextQueryAt: now",
  },
  {
    name: "claim-over-a-claim",
    guards: "only one process holds the claim on a prepayment",
    file: ORDER_STORE,
    find: "const taken = other !== undefined && other.id !== claim.id && now < other.until;",
    replace: "const taken = other !== undefined && other.until < 0;",
  },
  {
    name: "prepayment-overwritten",
    guards: "the first stored prepayment is returned to every caller",
    file: ORDER_STORE,
    find: "const isFree = winner === undefined || prepayment.issuedAt >= winner.validUntil;",
    replace: "const isFree = winner === undefined || prepayment.issuedAt >= 0;",
  },
  {
    name: "claim-of-another-released",
    guards: "only the holder of a claim can release it",
    file: ORDER_STORE,
    find: "if (target?.order.prepaymentClaim?.id !== claimId) return;",
    replace: "if (target === undefined) return;",
  },
  {
    name: "every-read-asks-the-wallet",
    guards: "reads query the wallet at most once per interval",
    file: ORDER_STORE,
    find: "if (queriedAt !== undefined && queriedAt > now - interval) return false;",
    replace: "",
  },
  {
    name: "timeline-not-chained",
    guards: "every event contains the hash of the previous event",
    file: TIMELINE,
    find: "const previousHash = timeline.at(-1)?.hash ?? order.id;",
    replace: "const previousHash = order.id;",
  },
  {
    name: "changed-event-unseen",
    guards: "a changed event breaks the chain",
    file: CORE_TIMELINE,
    find: "if (!follows || event.hash !== timelineHash(digest, previousHash, event)) return index + 1;",
    replace: "if (!follows) return index + 1;",
  },
  {
    name: "removed-event-unseen",
    guards: "a removed event breaks the chain",
    file: CORE_TIMELINE,
    find: "event.seq === index + 1 && event.previousHash === previousHash;",
    replace: "event.seq > 0;",
  },
];
