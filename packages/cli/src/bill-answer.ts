import type { BillOutcome, FundFlowOutcome, WalletFailure } from "@tillkit/core";
import { type ListedBillExceptions, exceptionRemedies, moneyText } from "@tillkit/core/operators";
import type { BillException, Merchant } from "@tillkit/core/ports";
import { type CommandResult, type Money, table, timeText } from "./answer.js";
import { visibleLine } from "@tillkit/core/text";

/**
 * Builds the answer for the reconciliation of one day's bills.
 *
 * Open differences are a finding. The answer is `unanswered` if a trade bill was not compared, or
 * if a later run may read a fund-flow bill.
 */
export function billsAnswer(day: string, outcomes: readonly BillOutcome[]): CommandResult {
  const compared = outcomes.flatMap((one) => (one.kind === "compared" ? [one] : []));
  const rest = outcomes.flatMap((one) => (one.kind === "not-compared" ? [one] : []));
  const open = compared.reduce((sum, { reconciled }) => sum + reconciled.open, 0);
  const rows = compared.map(({ bill, reconciled: { totals, foreign, open: ours, healed, gone } }) =>
    [
      bill.payChannel,
      bill.appEnv,
      bill.accountId,
      totals.payments,
      moneyText(totals.paymentAmount),
      totals.refunds,
      moneyText(totals.refundAmount),
      optionalMoney(totals.fees),
      totals.unreadable?.lines ?? 0,
      foreign.payments + foreign.refunds,
      ours,
      healed,
      gone,
    ].map(String),
  );
  const flows = compared.flatMap(({ bill, reconciled: { flow } }) =>
    flow.kind === "read" ? [flowRow(bill, flow)] : [],
  );
  const unread = compared.flatMap(({ bill, reconciled: { flow } }) =>
    flow.kind === "not-read" ? [{ bill, failure: flow.failure }] : [],
  );
  return {
    data: {
      day,
      bills: outcomes.map((one) =>
        one.kind === "compared"
          ? { ...one.bill, compared: true, ...one.reconciled }
          : { ...one.bill, compared: false, failure: one.failure },
      ),
    },
    text: [
      ...(rows.length === 0 ? [] : ["Trade bills:", table(TITLES, rows)]),
      ...(flows.length === 0 ? [] : ["Fund-flow bills:", table(FLOW_TITLES, flows)]),
      ...unread.map(({ bill, failure }) => `${flowName(bill)} was not read: ${whyNotRead(failure)}`),
      ...rest.map(({ bill, failure }) => `${billName(bill)} was not compared: ${whyNot(failure)}`),
      outcomes.length === 0
        ? `There is no bill of ${day} to compare: no pay tool has working credentials, and none took money on that day.`
        : open === 0
          ? `No exception of ${day} is open.`
          : `Open exceptions of ${day}: ${open}. \`tillkit bills exceptions\` lists them.`,
    ],
    finding: open > 0,
    unanswered: rest.length > 0 || unread.some(({ failure }) => mayBeReadLater(failure)),
  };
}

const TITLES = [
  "CHANNEL",
  "GATEWAY",
  "ACCOUNT",
  "PAYMENTS",
  "AMOUNT",
  "REFUNDS",
  "AMOUNT",
  "FEES",
  "UNREADABLE",
  "FOREIGN",
  "OPEN",
  "HEALED",
  "GONE",
];
const FLOW_TITLES = [
  "CHANNEL",
  "GATEWAY",
  "ACCOUNT",
  "PAYMENTS",
  "REFUNDS",
  "FEES",
  "NET",
  "OTHER IN",
  "OTHER OUT",
  "OPENING",
  "CLOSING",
  "UNREADABLE",
];

function flowRow({ payChannel, appEnv, accountId }: Merchant, { figures }: FlowRead): readonly string[] {
  const { paymentAmount, refundAmount, fees, net, otherIncome, otherExpense, unreadable = 0 } = figures;
  return [
    payChannel,
    appEnv,
    accountId,
    ...[paymentAmount, refundAmount, fees, net, otherIncome, otherExpense].map(moneyText),
    optionalMoney(figures.openingBalance),
    optionalMoney(figures.closingBalance),
    String(unreadable),
  ];
}

type FlowRead = Extract<FundFlowOutcome, { kind: "read" }>;

/** An exception as commands print it. A server sends fewer members than a database contains. */
export type ShownException = Omit<BillException, "appEnv" | "asOf" | "openedAt">;

/** A page of exceptions, each with what can be done about it. */
export interface ListedExceptions {
  readonly items: readonly (ShownException & { readonly remedies: readonly ShownRemedy[] })[];
  readonly total: ListedBillExceptions["total"];
}

interface ShownRemedy {
  readonly remedy: string;
  readonly until?: number;
}

/** Adds what can be done about each exception. */
export function withRemedies({ items, total }: ListedBillExceptions, now: number): ListedExceptions {
  return { items: items.map((one) => ({ ...one, remedies: exceptionRemedies(one, now) })), total };
}

/** Builds the answer for one page of bill exceptions. Open exceptions are a finding. */
export function exceptionsAnswer(
  { items: exceptions, total }: ListedExceptions,
  state: string,
): CommandResult {
  return {
    data: { exceptions, total },
    text: [
      table(
        [
          "ID",
          "DAY",
          "ACCOUNT",
          "KIND",
          "NUMBER",
          "THERE",
          "HERE",
          "STATUS",
          "BIZ NO",
          "FOUND",
          "REMEDIES",
          "DETAIL",
          "CLOSED BY",
          "NOTE",
        ],
        exceptions.map((one) => [
          one.id,
          one.day,
          `${one.payChannel} ${one.accountId}`,
          one.kind,
          one.refundNo ?? (one.outTradeNo === "" ? "-" : one.outTradeNo),
          moneyCell(one.amountThere),
          moneyCell(one.amountHere),
          one.statusHere ?? "-",
          one.order?.bizNo ?? "-",
          timeText(one.gmtCreate),
          remediesText(one.remedies),
          one.detail ?? "-",
          one.operator ?? "-",
          visibleLine(one.note ?? "-"),
        ]),
      ),
      `${exceptions.length} of ${total.count}${total.isLeast ? "+" : ""} exceptions in state ${state}`,
    ],
    finding: state === "OPEN" && total.count > 0,
  };
}

function remediesText(remedies: readonly ShownRemedy[]): string {
  const names = remedies.map(({ remedy, until }) =>
    until === undefined ? remedy : `${remedy} until ${timeText(until)}`,
  );
  return names.length === 0 ? "-" : names.join(", ");
}

/** Names a merchant's trade bill for a person. */
export function billName({ payChannel, appEnv, accountId }: Merchant): string {
  return visibleLine(`The bill of ${payChannel} ${accountId} (${appEnv})`);
}

function flowName({ payChannel, appEnv, accountId }: Merchant): string {
  return visibleLine(`The fund-flow bill of ${payChannel} ${accountId} (${appEnv})`);
}

/**
 * Returns whether a later run may read the bill.
 *
 * Any other refusal lasts until the merchant's rights change.
 */
function mayBeReadLater(failure: WalletFailure): boolean {
  return failure.name === "wallet.unknown" || failure.reason === "not-ready";
}

function whyNotRead(failure: WalletFailure): string {
  if (mayBeReadLater(failure))
    return `${failure.detail}. Fees and balances were not compared. Run the command again later.`;
  return `the wallet refused (${failure.detail}). The trade bill was compared. To compare fees and balances, give the merchant account the right to download fund-flow bills.`;
}

function moneyCell(cents: number | undefined): string | Money {
  return cents === undefined ? "-" : { cents };
}

function optionalMoney(cents: number | undefined): string {
  return cents === undefined ? "-" : moneyText(cents);
}

function whyNot(failure: Extract<BillOutcome, { kind: "not-compared" }>["failure"]): string {
  switch (failure.name) {
    case "pay-tool.not-configured":
      return "its pay tool disappeared from the database during the run. Run the command again.";
    case "wallet.unknown":
      return `the wallet gave no definite response (${failure.detail}). No exception was stored. Run the command again later.`;
    case "wallet.rejected":
      if (failure.reason === "no-bill")
        return `${failure.detail}, and the record has payments or refunds of this day. Look for the bill in the wallet's console. Run the command again later, or ask the wallet's support for the bill.`;
      return failure.reason === "not-ready"
        ? `the wallet has not created it yet (${failure.detail}). The wallets create a day's bills by 10:00 China time on the next day. Run the command again then.`
        : `the wallet refused (${failure.detail}). Check the credentials with \`tillkit pay-tools check\` and the merchant's rights in the wallet's console. Then run the command again.`;
  }
}
