import type { Language } from "../errors/message.js";
import { openAlarms } from "../orders/open-alarms.js";
import type { Order } from "../orders/order.js";
import type { TimelineEvent } from "../orders/timeline.js";
import type { Policy } from "../policy.js";
import type { Refund } from "../refunds/refund.js";
import { isoTime } from "../shared/business-day.js";
import { EXPLANATION_TEXT, type ExplanationText } from "./explanation-text.js";

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
 * The sentences that explain an order, by what they are about.
 *
 * They contain neither the customer's identity and name nor the contents of the wallet's messages.
 */
export interface ExplanationParts {
  readonly order: string;
  /** One sentence per event, oldest first. */
  readonly events: readonly string[];
  /** The present state. */
  readonly state: readonly string[];
  /** One text per refund, oldest first. */
  readonly refunds: readonly string[];
  /** How many open alarms there are. */
  readonly alarms: string;
  /** Whether the timeline is intact. */
  readonly integrity: string;
  /** What happens next. Empty if nothing is planned. */
  readonly next: readonly string[];
}

/** Returns all sentences of an explanation in their order. */
export function sentencesOf(parts: ExplanationParts): readonly string[] {
  const { order, events, state, refunds, alarms, integrity, next } = parts;
  return [order, ...events, ...state, ...refunds, alarms, integrity, ...next];
}

/** Explains the order in sentences. */
export function explainInParts(
  { order, refunds, timeline, brokenAt, now }: ExplanationFacts,
  { timeZone, expiryMargin }: Pick<Policy, "timeZone" | "expiryMargin">,
  language: Language,
): ExplanationParts {
  const words = EXPLANATION_TEXT[language];
  const time = (at: number) => isoTime(timeZone, at);
  const ahead = (at: number, next: (text: string) => string, overdue: (text: string) => string) =>
    (at > now ? next : overdue)(time(at));
  const events = timeline.map(({ at, type, actor, reason, alarm }) => {
    const happened = words.event(time(at), words.events[type], actorText(words, actor), reason);
    return happened + (alarm ? words.alarm : "");
  });
  const reported = refunds.map((refund) => refundSentence(refund, { timeZone, now }, language));
  return {
    order: words.order(order),
    events,
    state: present(),
    refunds: reported,
    alarms: words.alarms(openAlarms(timeline).length),
    integrity: reliability(),
    next: future(),
  };

  function present(): readonly string[] {
    const { paymentStatus, expiresAt, pmtDt, walletTradeNo, refundedAmount } = order;
    if (paymentStatus === "PENDING") return [ahead(expiresAt, words.payable, words.tooLate)];
    if (paymentStatus === "CLOSE") return [words.closed];
    const paid = pmtDt === undefined ? [] : [words.paid(time(pmtDt), walletTradeNo)];
    return refundedAmount === 0 ? paid : [...paid, words.refunded(order)];
  }

  function reliability(): string {
    if (timeline.length === 0) return words.noEvents;
    return brokenAt === undefined ? words.chainHolds(timeline.length) : words.chainBreaks(brokenAt);
  }

  function future(): readonly string[] {
    const { paymentStatus, expiresAt, nextQueryAt } = order;
    if (paymentStatus !== "PENDING" && paymentStatus !== "CLOSE") return [];
    const asks =
      nextQueryAt === undefined
        ? words.noFurtherQuery
        : ahead(nextQueryAt, words.nextQuery, words.queryOverdue);
    return paymentStatus === "CLOSE" ? [asks] : [asks, words.closesAfter(time(expiresAt + expiryMargin))];
  }
}

/**
 * Explains a refund in one text: what it is, its status, and when the wallet is queried next.
 *
 * @returns the text, in which times are in `timeZone`.
 * @example
 * ```ts
 * import { type Refund, refundSentence } from "@tillkit/core";
 *
 * declare const refund: Refund;
 *
 * const when = { timeZone: ports.policy.timeZone, now: ports.clock.now() };
 * const text = refundSentence(refund, when, "en");
 * ```
 */
export function refundSentence(
  refund: Refund,
  { timeZone, now }: { readonly timeZone: string; readonly now: number },
  language: Language,
): string {
  const words = EXPLANATION_TEXT[language];
  const { status, operator, nextTryAt } = refund;
  const told = words.refund(refund, words.operator(operator)) + words.refundStates[status];
  if (nextTryAt === undefined) return told;
  const next = nextTryAt > now ? words.nextRefundQuery : words.refundQueryOverdue;
  return told + next(isoTime(timeZone, nextTryAt));
}

function actorText({ actors, operator }: ExplanationText, actor: string): string {
  if (actor.startsWith("operator:")) return operator(actor.slice("operator:".length));
  return actor === "caller" || actor === "wallet" || actor === "expiry" || actor === "reconciler"
    ? actors[actor]
    : actor;
}
