import type {
  BillException,
  BillOutcome,
  FundFlowOutcome,
  Merchant,
  Page,
  WalletFailure,
} from "@tillkit/core";
import { type CommandResult, table, timeText } from "./answer.js";
import { visibleLine } from "./visible.js";

/**
 * Builds the answer of a reconciliation of one day's bills.
 *
 * Open differences are a finding. A bill that was not compared makes the answer `unanswered`.
 */
export function billsAnswer(day: string, outcomes: readonly BillOutcome[]): CommandResult {
  const compared = outcomes.flatMap((one) => (one.kind === "compared" ? [one] : []));
  const rest = outcomes.flatMap((one) => (one.kind === "not-compared" ? [one] : []));
  const open = compared.reduce((sum, { reconciled }) => sum + reconciled.open, 0);
  const rows = compared.map(({ bill, reconciled: { totals, foreign, open: ours, healed, gone } }) =>
    [
      ...[bill.payChannel, bill.appEnv, bill.accountId],
      ...[totals.payments, totals.paymentAmount, totals.refunds, totals.refundAmount],
      ...[totals.fees ?? "-", totals.unreadable?.lines ?? 0],
      ...[foreign.payments + foreign.refunds, ours, healed, gone],
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
      ...(flows.length === 0 ? [] : ["Fund-flow bills, amounts in cents:", table(FLOW_TITLES, flows)]),
      ...unread.map(({ bill, failure }) => `${flowName(bill)} was not read: ${whyNotRead(failure)}`),
      ...rest.map(({ bill, failure }) => `${billName(bill)} was not compared: ${whyNot(failure)}`),
      outcomes.length === 0
        ? `No merchant has a bill of ${day} to compare.`
        : open === 0
          ? `No difference of ${day} is open.`
          : `${open} differences of ${day} are open. \`tillkit bills exceptions\` lists them.`,
    ].join("\n"),
    finding: open > 0,
    unanswered: rest.length > 0 || unread.some(({ failure }) => mayBeReadLater(failure)),
  };
}

const TITLES = [
  ...["CHANNEL", "GATEWAY", "ACCOUNT", "PAYMENTS", "CENTS", "REFUNDS", "CENTS", "FEES", "UNREADABLE"],
  ...["FOREIGN", "OPEN", "HEALED", "GONE"],
];
const FLOW_TITLES = [
  ...["CHANNEL", "GATEWAY", "ACCOUNT", "PAYMENTS", "REFUNDS", "FEES", "NET"],
  ...["OTHER IN", "OTHER OUT", "OPENING", "CLOSING", "UNREADABLE"],
];

function flowRow({ payChannel, appEnv, accountId }: Merchant, { figures }: FlowRead): readonly string[] {
  const { paymentAmount, refundAmount, fees, net, otherIncome, otherExpense, unreadable = 0 } = figures;
  return [
    ...[payChannel, appEnv, accountId],
    ...[paymentAmount, refundAmount, fees, net, otherIncome, otherExpense].map(String),
    ...[centsText(figures.openingBalance), centsText(figures.closingBalance), String(unreadable)],
  ];
}

type FlowRead = Extract<FundFlowOutcome, { kind: "read" }>;

/** Builds the answer for one page of bill exceptions. Open exceptions are a finding. */
export function exceptionsAnswer({ items, totalCount }: Page<BillException>, state: string): CommandResult {
  return {
    data: { exceptions: items, totalCount },
    text: [
      table(
        ["ID", "DAY", "ACCOUNT", "KIND", "NUMBER", "THERE", "HERE", "STATUS", "BIZ NO", "FOUND", "DETAIL"],
        items.map((one) => [
          ...[
            one.id,
            one.day,
            `${one.payChannel} ${one.accountId}`,
            one.kind,
            one.refundNo ?? (one.outTradeNo === "" ? "-" : one.outTradeNo),
          ],
          ...[centsText(one.amountThere), centsText(one.amountHere), one.statusHere ?? "-"],
          ...[one.order?.bizNo ?? "-", timeText(one.gmtCreate), one.detail ?? "-"],
        ]),
      ),
      `${items.length} of ${totalCount} exceptions that are ${state}`,
    ].join("\n"),
    finding: state === "OPEN" && totalCount > 0,
  };
}

/** Names a merchant's trade bill for a person. */
export function billName({ payChannel, appEnv, accountId }: Merchant): string {
  return visibleLine(`The bill of ${payChannel} ${accountId} (${appEnv})`);
}

function flowName({ payChannel, appEnv, accountId }: Merchant): string {
  return visibleLine(`The fund-flow bill of ${payChannel} ${accountId} (${appEnv})`);
}

/** Whether a later run may read the bill. A refusal lasts until the merchant's rights change. */
function mayBeReadLater(failure: WalletFailure): boolean {
  return failure.name === "wallet.unknown" || failure.reason === "not-ready";
}

function whyNotRead(failure: WalletFailure): string {
  if (mayBeReadLater(failure))
    return `${failure.detail}. Fees and balances were not compared; run this again.`;
  return `the wallet refused (${failure.detail}). The trade bill was compared all the same. To compare fees and balances, give the merchant account the right to download fund-flow bills.`;
}

function centsText(cents: number | undefined): string {
  return cents === undefined ? "-" : String(cents);
}

function whyNot(failure: Extract<BillOutcome, { kind: "not-compared" }>["failure"]): string {
  switch (failure.name) {
    case "pay-tool.not-configured":
      return "its pay tool is gone. Run this again.";
    case "wallet.unknown":
      return `no answer that can be relied on (${failure.detail}). Nothing was concluded; run this again.`;
    case "wallet.rejected":
      return failure.reason === "not-ready"
        ? `it is not made yet (${failure.detail}). The wallets make a day's bills by 10:00 of the next in China; run this again then.`
        : `the wallet refused (${failure.detail}). Check the account's credentials and rights with \`tillkit doctor\`, then run this again.`;
  }
}
