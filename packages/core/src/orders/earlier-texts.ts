import { REFUND_STATUSES, type RefundStatus } from "./refund-status.js";
import {
  type EventDetails,
  STATEMENT_DIFFERENCES,
  type StatementDifference,
  type TimelineEventType,
} from "./event-details.js";

/** What a sentence of an earlier version states. */
export interface EarlierEvent<T extends TimelineEventType> {
  readonly type: T;
  readonly details: EventDetails[T];
  readonly reason: string;
  readonly refundNo?: string;
}

/** The named groups of a matched sentence. */
type Groups = Readonly<Record<string, string | undefined>>;

/** The sentences that earlier versions stored for one type of event. */
interface EarlierText<T extends TimelineEventType> {
  /** The group `reason` is what a person wrote. The group `refundNo` is the refund. */
  readonly pattern: RegExp;
  readonly details: (groups: Groups) => EventDetails[T];
}

const REFUND = String.raw`refund (?<refundNo>[0-9A-Za-z_-]+)`;
const OF_AMOUNT = String.raw` of (?<amount>\d+) cents`;
const SOURCE = String.raw`the wallet's (?<source>notification|answer)`;

/** Each entry is a sentence that an earlier version stored. Add no sentence: store details. */
const EARLIER: { readonly [T in TimelineEventType]: readonly EarlierText<T>[] } = {
  CREATED: [text("POST /order\\.json", () => ({}))],
  IMPORTED: [
    text("the order comes from another service(?:; Tillkit queries no wallet about it)?", () => ({})),
  ],
  CONNECTED: [
    text("from now on the order uses the pay tool (?<payToolId>.*)", ({ payToolId = "" }) => ({ payToolId })),
  ],
  PAID: [text(`${SOURCE} says paid`, (groups) => ({ source: sourceOf(groups) }))],
  LATE_PAYMENT: [
    text(`${SOURCE} says paid, after the order was closed`, (groups) => ({ source: sourceOf(groups) })),
  ],
  CLOSED: [
    text(`${SOURCE} says closed`, (groups) => ({ source: sourceOf(groups) })),
    closedText("the wallet closed it", "closed"),
    closedText("the wallet never had the order", "absent"),
    closedText("the wallet says, without proof, that it never had the order", "absent-unsigned"),
    closedText("the wallet does not have the order yet", "not-there-yet"),
  ],
  PREPAYMENT_REJECTED: [text("the wallet refused the order: (?<refusal>.*)", refusalOf)],
  MISMATCH: [
    text(`${SOURCE} does not fit the order: (?<differences>.*)`, (groups) => ({
      about: "order",
      source: sourceOf(groups),
      differences: differencesOf(groups["differences"]),
    })),
    text(
      "the wallet's word on refund (?<number>\\S+) does not fit it: (?:merchant, order or amount|amount or order)",
      ({ number = "" }) => ({ about: "refund", number }),
    ),
    text(`the wallet says that ${REFUND} failed, after it had confirmed it`, () => ({
      about: "failed-after-confirmed",
    })),
    text(
      `the wallet says that ${REFUND} is abnormal, after it was (?<status>\\w+) here: its money may not have reached the customer`,
      (groups) => ({ about: "abnormal-after-end", status: statusOf(groups["status"]) }),
    ),
  ],
  SECOND_PAYMENT: [],
  SECOND_PAYMENT_REFUNDED: [],
  CLOSED_AFTER_PAYMENT: [],
  UNKNOWN_REFUND: [
    text("the wallet reports refund (?<number>\\S+), which was not made here", ({ number = "" }) => ({
      number,
    })),
    text(`${SOURCE} reports a refund that was not made here`, (groups) => ({ source: sourceOf(groups) })),
  ],
  BILL_DIFFERENCE: [],
  BILL_ASSIGNED: [],
  REFUND_APPROVAL_REQUESTED: [],
  REFUND_APPROVED: [],
  REFUND_REJECTED: [],
  REFUND_NOT_MADE: [],
  REFUND_REQUESTED: [
    text(
      `${REFUND}${OF_AMOUNT}(?:, approved by (?<approvedBy>[^:]*))?: (?<reason>.*)`,
      ({ approvedBy, ...groups }) => ({
        amount: amountOf(groups),
        ...(approvedBy === undefined ? {} : { approvedBy }),
      }),
    ),
  ],
  REFUND_SENT: [
    text(`${REFUND}${OF_AMOUNT} goes to the wallet(?: as (?<number>\\S+))?`, ({ number, ...groups }) => ({
      amount: amountOf(groups),
      ...(number === undefined ? {} : { number }),
    })),
  ],
  REFUND_CONFIRMED: [
    text(
      `${REFUND}${OF_AMOUNT} is confirmed(?<late>, after it had failed)?(?<toMerchant>, to the merchant's own account: pay the customer by other means)?`,
      ({ late, toMerchant, ...groups }) => ({
        amount: amountOf(groups),
        ...(late === undefined ? {} : { afterFailure: true }),
        ...(toMerchant === undefined ? {} : { toMerchant: true }),
      }),
    ),
  ],
  REFUND_REFUSED: [text(`${REFUND} is refused, and no signature proves it: (?<refusal>.*)`, refusalOf)],
  REFUND_FAILED: [
    text(`${REFUND} failed: the wallet could not refund it`, () => ({})),
    text(`${REFUND} failed: (?<refusal>.*)`, refusalOf),
  ],
  REFUND_WAITING_FOR_FUNDS: [
    text(
      `${REFUND}${OF_AMOUNT} waits, because the merchant's balance at the wallet is too small: top up the account, then it continues \\((?<refusal>.*)\\)`,
      (groups) => ({ amount: amountOf(groups), ...refusalOf(groups) }),
    ),
  ],
  REFUND_ABNORMAL: [
    text(`${REFUND}${OF_AMOUNT} is abnormal: .*`, (groups) => ({ amount: amountOf(groups) })),
  ],
  REFUND_PROCESSING: [
    text(`the wallet processes ${REFUND}, which was (?<status>\\w+)`, ({ status }) => ({
      was: statusOf(status),
    })),
  ],
  REFUND_PAYOUT: [
    text(`abnormal ${REFUND}${OF_AMOUNT} goes to a bank card of the customer: (?<reason>.*)`, (groups) => ({
      amount: amountOf(groups),
      to: "customer",
    })),
    text(
      `abnormal ${REFUND}${OF_AMOUNT} goes to the merchant's own bank account; pay the customer by other means then: (?<reason>.*)`,
      (groups) => ({ amount: amountOf(groups), to: "merchant" }),
    ),
  ],
  REFUND_PAYOUT_REFUSED: [text(`the payout of ${REFUND} is refused: (?<refusal>.*)`, refusalOf)],
  REFUND_OVERDUE: [
    text(
      `${REFUND}${OF_AMOUNT} has been (?<status>\\w+) for (?<days>\\d+) days: look it up in the wallet's merchant platform`,
      ({ status, days, ...groups }) => ({
        amount: amountOf(groups),
        status: statusOf(status),
        days: Number(days),
      }),
    ),
  ],
  REFUND_SETTLED: [
    text(`${REFUND}${OF_AMOUNT} was paid to the customer by other means: (?<reason>.*)`, (groups) => ({
      amount: amountOf(groups),
    })),
  ],
  REFUND_ADOPTED: [],
  REFUND_WITHDRAWN: [],
  REFUND_PAID_TWICE: [
    text(
      `the wallet confirms ${REFUND}, which was settled by other means: the customer may have been paid twice`,
      () => ({}),
    ),
  ],
  REFUNDED: [text("the whole amount is refunded", () => ({}))],
  SHIPMENT_REQUESTED: [],
  SHIPMENT_REPORTED: [],
  SHIPMENT_REFUSED: [],
  SHIPMENT_OVERDUE: [],
  SHIPMENT_ENDED: [],
  ALARM_ACKNOWLEDGED: [],
  PERSONAL_DATA_ERASED: [],
};

/**
 * Reads a sentence that an earlier version stored as the reason of an event.
 *
 * Returns `undefined` for any other text, such as one that a person wrote.
 */
export function earlierEvent<T extends TimelineEventType>(
  type: T,
  reason: string,
): EarlierEvent<T> | undefined {
  const texts: readonly EarlierText<T>[] = EARLIER[type];
  for (const { pattern, details } of texts) {
    const match = pattern.exec(reason);
    if (match === null) continue;
    const groups: Groups = match.groups ?? {};
    const { refundNo } = groups;
    return {
      type,
      details: details(groups),
      reason: groups["reason"] ?? "",
      ...(refundNo === undefined ? {} : { refundNo }),
    };
  }
  return undefined;
}

function text<T extends TimelineEventType>(
  pattern: string,
  details: (groups: Groups) => EventDetails[T],
): EarlierText<T> {
  return { pattern: new RegExp(`^${pattern}$`, "su"), details };
}

/** A closure by expiry, or by an operator whose reason precedes the wallet's confirmation. */
function closedText(
  confirmation: string,
  atWallet: EventDetails["CLOSED"]["atWallet"],
): EarlierText<"CLOSED"> {
  return text(`(?:the time to pay is over|(?<reason>.*)); ${confirmation}`, () => ({ atWallet }));
}

function sourceOf({ source }: Groups): "notification" | "query" {
  return source === "notification" ? "notification" : "query";
}

function amountOf({ amount }: Groups): number {
  return Number(amount);
}

function refusalOf({ refusal = "" }: Groups): { readonly refusal: string } {
  return { refusal };
}

function statusOf(name: string | undefined): RefundStatus {
  return REFUND_STATUSES.find((status) => status === name) ?? "SENT";
}

function differencesOf(listed = ""): readonly StatementDifference[] {
  const names = listed.split(", ").map((name) => name.replace(" ", "-"));
  return STATEMENT_DIFFERENCES.filter((difference) => names.includes(difference));
}
