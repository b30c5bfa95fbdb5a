import type { Mutant } from "../mutant.js";
const COMPARE_LINE = "packages/core/src/bills/compare-line.ts";
const COMPARE_BILL = "packages/core/src/bills/compare-bill.ts";
const HEAL_DIFFERENCES = "packages/core/src/bills/heal-differences.ts";
const RECONCILE_BILL = "packages/core/src/bills/reconcile-bill.ts";
const READ_TRADE_BILL = "packages/core/src/bills/read-trade-bill.ts";
const BILL_TALLY = "packages/core/src/bills/bill-tally.ts";
const UNREADABLE = "packages/core/src/bills/unreadable-lines.ts";
const COMPARE_SETTLEMENT = "packages/core/src/bills/compare-settlement.ts";
const COMPARE_SETTLEMENTS = "packages/core/src/bills/compare-settlements.ts";
const FUND_FLOW = "packages/core/src/bills/reconcile-fund-flow.ts";
const READ_FUND_FLOW = "packages/core/src/bills/read-fund-flow.ts";
const EXCEPTION_STORE = "packages/memory/src/bills/bill-exception-store.ts";
const LINE_STORE = "packages/memory/src/bills/bill-line-store.ts";
const SQL_EXCEPTION_STATEMENTS = "packages/postgres/src/bills/bill-exception-statements.ts";
const SQL_SETTLEMENT_STORE = "packages/postgres/src/bills/bill-settlement-store.ts";
const SETTLEMENT_STORE = "packages/memory/src/bills/bill-settlement-store.ts";
const ROW_READER = "packages/wallet-kit/src/bills/bill-row-reader.ts";
const WECHAT_TRADE = "packages/wechat-pay/src/bills/bill-parser.ts";
const WECHAT_FLOW = "packages/wechat-pay/src/bills/flow-parser.ts";
const WECHAT_TEXT = "packages/wechat-pay/src/bills/download-bill.ts";
const WECHAT_FILE = "packages/wechat-pay/src/signing/decrypt-file.ts";
const ALIPAY_BOOK = "packages/alipay/src/bills/bill-accumulator.ts";
const ALIPAY_DETAIL = "packages/alipay/src/bills/detail-table.ts";
const ALIPAY_FLOW = "packages/alipay/src/bills/flow-parser.ts";

/**
 * Mutants of the rules that a bill comparison finds every difference, and a bill alone settles
 * none.
 */
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
    guards: "a payment with another amount is a difference",
    file: COMPARE_LINE,
    find: 'order.amount === amount ? { elsewhere } : { kind: "PAYMENT_AMOUNT", elsewhere }',
    replace: "amount > 0 ? { elsewhere } : { elsewhere }",
  },
  {
    name: "bill-amount-of-a-refund-not-compared",
    guards: "a refund with another amount is a difference",
    file: COMPARE_LINE,
    find: 'refund.amount === amount ? { elsewhere } : { kind: "REFUND_AMOUNT", elsewhere }',
    replace: "amount > 0 ? { elsewhere } : { elsewhere }",
  },
  {
    name: "bill-refund-taken-for-a-payment",
    guards: "the line of a refund is compared with a refund",
    file: COMPARE_LINE,
    find: `line.kind === "payment"
    ?`,
    replace: `line.kind === "payment" || counterpart.refund !== undefined ?`,
  },
  {
    name: "bill-of-another-merchant-taken",
    guards: "a payment to another merchant does not match the order",
    file: COMPARE_LINE,
    find: "if (order === undefined || !scope.payToolIds.has(order.payToolId)) {",
    replace: "if (order === undefined) {",
  },
  {
    name: "bill-failed-refund-taken",
    guards: "a refund that failed in Tillkit and succeeded at the wallet is a difference",
    file: COMPARE_LINE,
    find: 'state === "DONE" ? isConfirmed : !isRefundUnknownToWallet(refund)',
    replace: 'state === "DONE" || isConfirmed || !isRefundUnknownToWallet(refund)',
  },
  {
    name: "bill-neighbour-blamed",
    guards: "a line in another day's bill is not reported as missing",
    file: COMPARE_BILL,
    find: "await ports.billExceptions.markListed(elsewhere);",
    replace: "ok(undefined);",
  },
  {
    name: "bill-gaps-not-looked-for",
    guards: "a record that the bill does not list is a difference",
    file: COMPARE_BILL,
    find: "keys.has(compositeKey(key))",
    replace: "keys.size >= 0",
  },
  {
    name: "bill-heals-by-another-merchant",
    guards: "another merchant's order does not match a line of this bill",
    file: COMPARE_BILL,
    find: "const isOurs = order !== undefined && run.scope.payToolIds.has(order.payToolId);",
    replace: "const isOurs = order !== undefined;",
  },
  {
    name: "bill-foreign-line-healed",
    guards: "a payment without an order in Tillkit stays a difference",
    file: HEAL_DIFFERENCES,
    find: "if (order === undefined) return false;",
    replace: "if (order === undefined) return true;",
  },
  {
    name: "bill-taken-for-proof",
    guards: "a bill alone changes no order: the wallet is queried",
    file: HEAL_DIFFERENCES,
    find: "refreshed.isOk() && !canChangeAtWallet(refreshed.value) && order.amount",
    replace: "refreshed.isOk() && order.amount",
  },
  {
    name: "bill-heals-another-amount",
    guards: "a payment with another amount does not heal the difference",
    file: HEAL_DIFFERENCES,
    find: "!canChangeAtWallet(refreshed.value) && order.amount === found.amountThere",
    replace: "!canChangeAtWallet(refreshed.value)",
  },
  {
    name: "bill-taken-in-part",
    guards: "nothing is concluded from a bill whose lines do not add up",
    file: READ_TRADE_BILL,
    find: "if (!isSameTally(sums, totals.value)) return err(NOT_WHOLE);",
    replace: "",
  },
  {
    name: "bill-lines-left-behind",
    guards: "the lines of a bill that was compared are removed",
    file: RECONCILE_BILL,
    find: "const discarded = await discardLines(ports, run);",
    replace: "const discarded = ok(undefined);",
  },
  {
    name: "bill-exception-resolved-by-itself",
    guards: "only an operator marks a difference as RESOLVED",
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
    guards: "the amounts of two lines with the same number are added up",
    file: LINE_STORE,
    find: "before === undefined ? { ...line } : sum(before, line)",
    replace: "before === undefined ? { ...line } : before",
  },
  {
    name: "bill-refund-amount-not-in-the-totals",
    guards: "a bill is not compared if its total of refunds differs from its lines",
    file: BILL_TALLY,
    find: "left.refundAmount === right.refundAmount &&",
    replace: "",
  },
  {
    name: "bill-heals-a-settled-refund",
    guards: "a refund that was paid by other means does not heal the difference",
    file: HEAL_DIFFERENCES,
    find: `value.refund.status === "CONFIRMED" && value.refund.amount === found.amountThere`,
    replace: "value.refund.amount === found.amountThere",
  },
  {
    name: "bill-heals-another-refund-amount",
    guards: "a refund with another amount does not heal the difference",
    file: HEAL_DIFFERENCES,
    find: `value.refund.status === "CONFIRMED" && value.refund.amount === found.amountThere`,
    replace: `value.refund.status === "CONFIRMED"`,
  },
  {
    name: "bill-unreadable-line-blamed",
    guards: "an order that an unreadable line names is not reported as missing",
    file: COMPARE_BILL,
    find: "keys.has(compositeKey(key)) || run.mayMatchUnreadableLine(key)",
    replace: "keys.has(compositeKey(key))",
  },
  {
    name: "bill-unreadable-lines-without-end",
    guards: "a bill with too many unreadable lines is refused",
    file: UNREADABLE,
    find: "lines.length > maxUnreadableLines ? err(tooMany(lines)) : ok(undefined)",
    replace: "ok(undefined)",
  },
  {
    name: "bill-mostly-unreadable-compared",
    guards: "a bill that is mostly unreadable is refused",
    file: UNREADABLE,
    find: "lines.length > FEW && lines.length > readable ?",
    replace: "lines.length > FEW && lines.length < readable ?",
  },
  {
    name: "bill-unreadable-line-of-another-seller",
    guards: "an unreadable line of another seller is not an exception",
    file: UNREADABLE,
    find: "outTradeNo === undefined || isId(outTradeNo)",
    replace: "outTradeNo !== null",
  },
  {
    name: "bill-unreadable-lines-as-one",
    guards: "two unreadable lines are two exceptions",
    file: UNREADABLE,
    find: "${bill.day}:${at}:${text}",
    replace: "${bill.day}:${text}",
  },
  {
    name: "flow-unread-closes-what-was-found",
    guards: "exceptions of a fund-flow bill stay open while it cannot be read",
    file: RECONCILE_BILL,
    find: 'flow.value.kind === "read" ? await closeUnseen(ports, run, FUND_FLOW_KINDS) : ok(0);',
    replace: "await closeUnseen(ports, run, FUND_FLOW_KINDS);",
  },
  {
    name: "flow-taken-in-part",
    guards: "nothing is concluded from a fund-flow bill whose movements do not add up",
    file: READ_FUND_FLOW,
    find: "if (!isSameFlow(sums, totals.value)) return err(NOT_WHOLE);",
    replace: "",
  },
  {
    name: "flow-fee-of-a-payment-not-compared",
    guards: "another fee than the trade bill's is a difference",
    file: COMPARE_SETTLEMENT,
    find: 'areFeesBooked ? { kind: "FEE_AMOUNT"',
    replace: 'areFeesBooked && stated.lines < 0 ? { kind: "FEE_AMOUNT"',
  },
  {
    name: "flow-amount-not-compared",
    guards: "a movement of another amount than the trade bill's is a difference",
    file: COMPARE_SETTLEMENT,
    find: "if (sameNet(settlement)) return {};",
    replace: "if (moved.lines > 0) return {};",
  },
  {
    name: "flow-missing-movement-not-found",
    guards: "a payment without a movement of the account is a difference",
    file: COMPARE_SETTLEMENT,
    find: "open > 0 ? {} :",
    replace: "open >= 0 ? {} :",
  },
  {
    name: "flow-unknown-movement-taken",
    guards: "money for an order that is not paid is a difference",
    file: COMPARE_SETTLEMENT,
    find: 'if (order.paymentStatus !== "PAID" && order.paymentStatus !== "REFUND") return unknown;',
    replace: "",
  },
  {
    name: "flow-movement-of-another-merchant-taken",
    guards: "money for another merchant's order is a difference",
    file: COMPARE_SETTLEMENT,
    find: "if (order === undefined || !scope.payToolIds.has(order.payToolId)) return unknown;",
    replace: "if (order === undefined) return unknown;",
  },
  {
    name: "flow-failed-refund-taken",
    guards: "money that left for a refund that failed here is a difference",
    file: COMPARE_SETTLEMENT,
    find: ".filter(({ status }) => MAY_HAVE_LEFT.has(status))",
    replace: "",
  },
  {
    name: "flow-neighbour-blamed",
    guards: "a movement that was booked on another day is not reported as missing",
    file: COMPARE_SETTLEMENTS,
    find: "await ports.billExceptions.markListed(elsewhere);",
    replace: "ok(undefined);",
  },
  {
    name: "flow-fee-total-not-compared",
    guards: "the fees of the day must match the trade bill's total of fees",
    file: FUND_FLOW,
    find: "if (amountThere - amountHere !== explained)",
    replace: "if (amountThere - amountHere !== explained && amountHere < 0)",
  },
  {
    name: "flow-balances-not-followed",
    guards: "the movements of an account must explain its balances",
    file: FUND_FLOW,
    find: "if (!isConnected && opening !== undefined",
    replace: "if (!isConnected && opening === undefined",
  },
  {
    name: "bill-exceptions-of-all-kinds-closed",
    guards: "a run closes only exceptions of the kinds that it checked",
    file: EXCEPTION_STORE,
    find: ".filter((one) => kinds.includes(one.kind))",
    replace: ".filter(() => kinds.length > 0)",
  },
  {
    name: "sql-bill-exceptions-of-all-kinds-closed",
    guards: "a run closes only exceptions of the kinds that it checked",
    file: SQL_EXCEPTION_STATEMENTS,
    find: "and kind in (select looked.kind from json_array_elements_text($7::text::json) as looked (kind))",
    replace: "and $7::text is not null",
  },
  {
    name: "settlement-fee-counted-once",
    guards: "fees with the same number are added up",
    file: SETTLEMENT_STORE,
    find: "fee: sums.fee + fee,",
    replace: "fee,",
  },
  {
    name: "sql-settlement-fee-counted-once",
    guards: "fees with the same number are added up",
    file: SQL_SETTLEMENT_STORE,
    find: "held.${column} + excluded.${column}",
    replace: '${column.endsWith("_fee_cents") ? "0" : `held.${column}`} + excluded.${column}',
  },
  {
    name: "bill-row-guessed",
    guards: "a row with two possible readings is unreadable",
    file: ROW_READER,
    find: "textsOf(header.indexOf(name)).size !== 1",
    replace: "textsOf(header.indexOf(name)).size < 1",
  },
  {
    name: "wechat-bill-refunds-not-added-up",
    guards: "the refunds of a bill must match its total",
    file: WECHAT_TRADE,
    find: "left.order === 0 && left.refund === 0",
    replace: "left.order === 0",
  },
  {
    name: "wechat-bill-lines-not-counted",
    guards: "the lines of a bill must match its count, unreadable lines included",
    file: WECHAT_TRADE,
    find: "counted < lines || counted > lines + unreadable",
    replace: "counted < lines",
  },
  {
    name: "wechat-flow-expenses-not-added-up",
    guards: "the expenses of a fund-flow bill must match its total",
    file: WECHAT_FLOW,
    find: "expenses === sums.expenses ? expense === sums.expense : expense >= sums.expense",
    replace: "expense >= 0",
  },
  {
    name: "wechat-bill-digest-not-compared",
    guards: "every file of a bill must have the digest that the wallet signed",
    file: WECHAT_TEXT,
    find: "digests[place] === hash_value",
    replace: 'hash_value !== "" || digests[place] === ""',
  },
  {
    name: "wechat-bill-tag-not-verified",
    guards: "an encrypted file of a bill must have the tag of its bytes",
    file: WECHAT_FILE,
    find: "decipher.final();",
    replace: "",
  },
  {
    name: "alipay-bill-refunds-not-added-up",
    guards: "the refunds of a bill must match its sums",
    file: ALIPAY_DETAIL,
    find: 'more === 0 ? amountLeft === 0 : name === "payments"',
    replace: 'more === 0 ? amountLeft === 0 || name === "refunds" : name === "payments"',
  },
  {
    name: "alipay-bill-sums-not-compared",
    guards: "the lines of a bill must match its summary file",
    file: ALIPAY_BOOK,
    find: "if (![paid, paid + sentBack].includes(summary[column]))",
    replace: "if (summary[column] < 0)",
  },
  {
    name: "alipay-flow-not-added-up",
    guards: "the movements of a fund-flow bill must match its sums",
    file: ALIPAY_FLOW,
    find: "more === 0 ? amountLeft !== 0 : !(amountLeft >= 0)",
    replace: "more !== 0 && !(amountLeft >= 0)",
  },
];
