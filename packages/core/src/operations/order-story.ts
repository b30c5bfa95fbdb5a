import type { Language } from "../errors/message.js";
import type { Order } from "../orders/order.js";
import type { TimelineEvent } from "../orders/timeline.js";
import type { Policy } from "../policy.js";
import type { Refund } from "../refunds/refund.js";
import { isoTime } from "../shared/calendar.js";
import { STORY_WORDS, type StoryWords } from "./story-words.js";

/** What a story is told from. */
export interface StoryFacts {
  readonly order: Order;
  /** Oldest first. */
  readonly refunds: readonly Refund[];
  readonly timeline: readonly TimelineEvent[];
  /** The `seq` of the first event that does not follow from the one before; absent when the chain is whole. */
  readonly brokenAt: number | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * The order's story, a sentence an item: what it is, what happened, what is known now, the refunds, whether the timeline can be relied on, and what comes
 * next. The customer's identity and name stay out of it, and so does what the wallet's messages held.
 */
export function orderStory(
  { order, refunds, timeline, brokenAt, now }: StoryFacts,
  { timeZone, expiryMargin }: Pick<Policy, "timeZone" | "expiryMargin">,
  language: Language,
): readonly string[] {
  const words = STORY_WORDS[language];
  const time = (at: number) => isoTime(timeZone, at);
  const ahead = (at: number, next: (text: string) => string, overdue: (text: string) => string) =>
    (at > now ? next : overdue)(time(at));
  const events = timeline.map(({ at, type, actor, reason, alarm }) => {
    const happened = words.event(time(at), words.events[type], actorText(words, actor), reason);
    return happened + (alarm ? words.alarm : "");
  });
  const told = refunds.map((refund) => {
    const { status, operator, nextTryAt } = refund;
    const next = nextTryAt === undefined ? "" : ahead(nextTryAt, words.pursuedNext, words.pursuedSince);
    return words.refund(refund, words.operator(operator)) + words.refundStates[status] + next;
  });
  return [
    words.order(order),
    ...events,
    ...present(),
    ...told,
    words.alarms(timeline.filter(({ alarm }) => alarm).length),
    reliability(),
    ...future(),
  ];

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
      nextQueryAt === undefined ? words.asksNoMore : ahead(nextQueryAt, words.asksNext, words.asksSince);
    return paymentStatus === "CLOSE" ? [asks] : [asks, words.closesFrom(time(expiresAt + expiryMargin))];
  }
}

function actorText({ actors, operator }: StoryWords, actor: string): string {
  if (actor.startsWith("operator:")) return operator(actor.slice("operator:".length));
  return actor === "caller" || actor === "wallet" || actor === "expiry" || actor === "reconciler"
    ? actors[actor]
    : actor;
}
