import type { Mutant } from "../mutant.js";
const COMPARE_LINE = "packages/core/src/bills/compare-line.ts";
const COMPARE_BILL = "packages/core/src/bills/compare-bill.ts";
const HEAL_DIFFERENCES = "packages/core/src/bills/heal-differences.ts";
const RECONCILE_BILL = "packages/core/src/bills/reconcile-bill.ts";
const EXCEPTION_STORE = "packages/memory/src/bill-exception-store.ts";
const LINE_STORE = "packages/memory/src/bill-line-store.ts";

/** What compares the wallets' bills with the record: every difference is found, and none is settled by the bill itself. */
export const BILLS: readonly Mutant[] = [
  {
    name: "bill-compared-with-lines-that-went",
    guards: "lines that housekeeping may have removed prove nothing missing",
    file: COMPARE_BILL,
    find: "clock.now() < asOf + policy.billLineRetention",
    replace: "clock.now() >= asOf",
  },
  {
    name: "bill-amount-of-a-payment-not-compared",
    guards: "a payment over another amount is a difference",
    file: COMPARE_LINE,
    find: 'order.amount === amount ? { elsewhere } : { kind: "PAYMENT_AMOUNT", elsewhere }',
    replace: "amount > 0 ? { elsewhere } : { elsewhere }",
  },
  {
    name: "bill-amount-of-a-refund-not-compared",
    guards: "a refund over another amount is a difference",
    file: COMPARE_LINE,
    find: 'refund.amount === amount ? { elsewhere } : { kind: "REFUND_AMOUNT", elsewhere }',
    replace: "amount > 0 ? { elsewhere } : { elsewhere }",
  },
  {
    name: "bill-refund-taken-for-a-payment",
    guards: "the line of a refund is compared with a refund",
    file: COMPARE_LINE,
    find: 'line.kind === "payment" ?',
    replace: 'line.kind === "payment" || found.refund !== undefined ?',
  },
  {
    name: "bill-of-another-merchant-taken",
    guards: "an order is paid to its own merchant",
    file: COMPARE_LINE,
    find: "if (order === undefined || !scope.payToolIds.has(order.payToolId)) {",
    replace: "if (order === undefined) {",
  },
  {
    name: "bill-failed-refund-taken",
    guards: "a refund that failed here and was made there is a difference",
    file: COMPARE_LINE,
    find: 'state === "DONE" ? isConfirmed : !isUnknownToWallet(refund)',
    replace: 'state === "DONE" || isConfirmed || !isUnknownToWallet(refund)',
  },
  {
    name: "bill-neighbour-blamed",
    guards: "what the bill of another day has is missing on none",
    file: COMPARE_BILL,
    find: "if (elsewhere.length > 0) yield* ports.billExceptions.markListed(elsewhere);",
    replace: "",
  },
  {
    name: "bill-gaps-not-looked-for",
    guards: "what the record has and the bill lacks is a difference",
    file: COMPARE_BILL,
    find: "known.has(keyText(key))",
    replace: "known.size >= 0",
  },
  {
    name: "bill-heals-by-another-merchant",
    guards: "another merchant's order settles nothing of this bill",
    file: COMPARE_BILL,
    find: "const isOurs = order !== undefined && run.scope.payToolIds.has(order.payToolId);",
    replace: "const isOurs = order !== undefined;",
  },
  {
    name: "bill-foreign-line-healed",
    guards: "a payment without an order here stays a difference",
    file: HEAL_DIFFERENCES,
    find: "if (order === undefined) return false;",
    replace: "if (order === undefined) return true;",
  },
  {
    name: "bill-taken-for-proof",
    guards: "a bill is a reason to ask the wallet, and no proof",
    file: HEAL_DIFFERENCES,
    find: "refreshed.isOk() && !isAskable(refreshed.value.paymentStatus) && order.amount",
    replace: "refreshed.isOk() && order.amount",
  },
  {
    name: "bill-heals-another-amount",
    guards: "a payment over another amount is not the one on the bill",
    file: HEAL_DIFFERENCES,
    find: "!isAskable(refreshed.value.paymentStatus) && order.amount === found.amountThere",
    replace: "!isAskable(refreshed.value.paymentStatus)",
  },
  {
    name: "bill-taken-in-part",
    guards: "nothing is concluded from a bill whose lines do not add up",
    file: RECONCILE_BILL,
    find: "return isSameTally(read, totals) ? ok({ totals, foreign }) : err(NOT_WHOLE);",
    replace: "return ok({ totals, foreign });",
  },
  {
    name: "bill-lines-left-behind",
    guards: "the lines of a bill that was compared are removed",
    file: RECONCILE_BILL,
    find: "yield* discardLines(ports, run);",
    replace: "",
  },
  {
    name: "bill-exception-resolved-by-itself",
    guards: "a person resolves a difference",
    file: EXCEPTION_STORE,
    find: 'put({ ...exception, state: "GONE", asOf, gmtModified: at })',
    replace: 'put({ ...exception, state: "RESOLVED", asOf, gmtModified: at })',
  },
  {
    name: "bill-exception-closed-while-it-stands",
    guards: "a difference that the last run found stays open",
    file: EXCEPTION_STORE,
    find: "one.day === day && one.asOf < asOf",
    replace: "one.day === day && one.asOf <= asOf",
  },
  {
    name: "bill-resolved-hides-another-amount",
    guards: "a resolved difference opens again with other amounts",
    file: EXCEPTION_STORE,
    find: '(before.state === "RESOLVED" && sameAmounts)',
    replace: 'before.state === "RESOLVED"',
  },
  {
    name: "bill-line-twice-counted-once",
    guards: "a line that stands twice in a bill is twice the money",
    file: LINE_STORE,
    find: "before === undefined ? { ...line } : sum(before, line)",
    replace: "before === undefined ? { ...line } : before",
  },
];
