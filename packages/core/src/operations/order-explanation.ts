import type { Language } from "../errors/message.js";
import { openAlarms } from "../orders/open-alarms.js";
import type { Order } from "../orders/order.js";
import { optionNames } from "../pay-tools/option-channels.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";
import { readEvent } from "../orders/read-event.js";
import { shipmentOf } from "../orders/shipment.js";
import type { TimelineEvent } from "../orders/timeline.js";
import type { Policy } from "../policy.js";
import { isOpenRefund, type Refund } from "../refunds/refund.js";
import { isoTime } from "../shared/business-day.js";
import { eventSentence } from "./event-sentence.js";
import { EVENT_TEXT } from "./event-text.js";
import { EXPLANATION_TEXT } from "./explanation-text.js";
import { statusProof } from "./status-proof.js";
import { walletName } from "./wallet-name.js";

/** The stored facts that explain an order. */
export interface ExplanationFacts {
  readonly order: Order;
  /** Oldest first. */
  readonly refunds: readonly Refund[];
  readonly timeline: readonly TimelineEvent[];
  /** The `seq` of the first event whose hash is wrong. `undefined` if the chain is intact. */
  readonly brokenAt: number | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * The sentences that explain an order, grouped by subject.
 *
 * They do not contain the customer's identity or name. Of the wallet's messages, they contain only
 * the texts of refusals.
 */
export interface ExplanationParts {
  readonly order: string;
  /** The status, with who confirmed it and when. Without a full stop. */
  readonly proof: string;
  /** One sentence per event, oldest first. Without the time and without a full stop. */
  readonly events: readonly string[];
  /** The same sentences with the time, the refund and a mark for alarms. */
  readonly history: readonly string[];
  /** The present state. */
  readonly state: readonly string[];
  /** One text per refund, oldest first. */
  readonly refunds: readonly string[];
  /** States the number of open alarms. */
  readonly alarms: string;
  /** Whether the timeline is intact. */
  readonly integrity: string;
  /** What happens next. Empty if nothing is planned. */
  readonly next: readonly string[];
}

/** Returns all sentences of an explanation in their order. */
export function sentencesOf(parts: ExplanationParts): readonly string[] {
  const { order, history, state, refunds, alarms, integrity, next } = parts;
  return [order, ...history, ...state, ...refunds, alarms, integrity, ...next];
}

/** Explains the order in sentences. */
export function explainInParts(
  { order, refunds, timeline, brokenAt, now }: ExplanationFacts,
  { timeZone, expiryMargin }: Pick<Policy, "timeZone" | "expiryMargin">,
  language: Language,
): ExplanationParts {
  const words = EXPLANATION_TEXT[language];
  const { payChannel } = order;
  const wallet = walletName(payChannel, language);
  const time = (at: number) => isoTime(timeZone, at);
  const ahead = (
    at: number,
    next: (text: string, wallet: string) => string,
    overdue: (text: string, wallet: string) => string,
  ) => (at > now ? next : overdue)(time(at), wallet);
  const events = timeline.map((event) => eventSentence(event, payChannel, language));
  const when = { payChannel, timeZone, now };
  return {
    order: words.order(order, wallet) + options(),
    proof: statusProof({ order, timeline, now }, timeZone, language),
    events,
    history: timeline.map((event, nth) => history(event, events[nth] ?? "")),
    state: present(),
    refunds: refunds.map((refund) => refundSentence(refund, when, language)),
    alarms: words.alarms(openAlarms(timeline).length),
    integrity: reliability(),
    next: future(),
  };

  function options(): string {
    const names = optionNames(order.walletOptions?.sent ?? {});
    return names.length === 0 ? "" : words.options(names, wallet);
  }

  function openRefunds(): readonly string[] {
    return refunds.filter(isOpenRefund).flatMap(({ refundNo, nextTryAt }) => {
      if (nextTryAt === undefined) return [];
      const sentence = nextTryAt > now ? words.openRefund : words.openRefundOverdue;
      return [sentence(refundNo, time(nextTryAt), wallet)];
    });
  }

  function history(event: TimelineEvent, sentence: string): string {
    const { refundNo } = readEvent(event);
    const about = refundNo === undefined ? sentence : EVENT_TEXT[language].about(sentence, refundNo);
    return words.event(time(event.at), about) + (event.alarm ? words.alarm : "");
  }

  function present(): readonly string[] {
    const { paymentStatus, expiresAt, pmtDt, walletTradeNo, refundedAmount } = order;
    if (paymentStatus === "PENDING") return [ahead(expiresAt, words.payable, words.tooLate)];
    if (paymentStatus === "CLOSE") return [words.closed];
    const payment = pmtDt === undefined ? [] : [words.paid(time(pmtDt), wallet, walletTradeNo)];
    const refund = refundedAmount === 0 ? [] : [words.refunded(order)];
    return [...payment, ...refund, ...shipment(true)];
  }

  /**
   * Returns the sentence about a shipment report that has ended, or about one that has not.
   *
   * A report that has ended belongs to the state of the order. Any other report belongs to `next`.
   */
  function shipment(hasEnded: boolean): readonly string[] {
    const report = shipmentOf(order, timeline);
    if (report === undefined) return [];
    const { state, nextTryAt } = report;
    if ((state === "reported" || state === "ended") !== hasEnded) return [];
    if (nextTryAt === undefined) return [words.shipment[state](wallet, "")];
    const sentence = nextTryAt > now ? words.shipment[state] : words.shipmentOverdue;
    return [sentence(wallet, time(nextTryAt))];
  }

  function reliability(): string {
    if (timeline.length === 0) return words.noEvents;
    return brokenAt === undefined ? words.chainHolds(timeline.length) : words.chainBreaks(brokenAt);
  }

  function future(): readonly string[] {
    const { paymentStatus, expiresAt, nextQueryAt } = order;
    if (paymentStatus !== "PENDING" && paymentStatus !== "CLOSE")
      return [...openRefunds(), ...shipment(false)];
    const asks =
      nextQueryAt === undefined
        ? words.noFurtherQuery(wallet)
        : ahead(nextQueryAt, words.nextQuery, words.queryOverdue);
    const closes = () => words.closesAfter(time(expiresAt + expiryMargin), wallet);
    return paymentStatus === "CLOSE" ? [asks] : [asks, closes()];
  }
}

/** The time and the wallet for the sentence of a refund. */
export interface RefundSentenceContext {
  readonly timeZone: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The channel of the order. Absent: the sentence does not name the wallet. */
  readonly payChannel?: PayChannel;
}

/**
 * Explains a refund in one text: what it is, its status, and when the wallet is queried next.
 *
 * @returns the text, in which times are in `timeZone`.
 * @example
 * ```ts
 * import type { Refund } from "@tillkit/core";
 * import { refundSentence } from "@tillkit/core/operators";
 *
 * declare const refund: Refund;
 *
 * const when = { timeZone: ports.policy.timeZone, now: ports.clock.now() };
 * const text = refundSentence(refund, when, "en");
 * ```
 */
export function refundSentence(
  refund: Refund,
  { timeZone, now, payChannel }: RefundSentenceContext,
  language: Language,
): string {
  const words = EXPLANATION_TEXT[language];
  const wallet = walletName(payChannel, language);
  const { status, operator, nextTryAt } = refund;
  const sentence = words.refund(refund, operator) + words.refundStates[status](wallet);
  if (nextTryAt === undefined) return sentence;
  const next = nextTryAt > now ? words.nextRefundQuery : words.refundQueryOverdue;
  return sentence + next(isoTime(timeZone, nextTryAt), wallet);
}
