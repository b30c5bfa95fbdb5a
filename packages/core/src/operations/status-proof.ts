import type { Language } from "../errors/message.js";
import type { Order } from "../orders/order.js";
import { readEvent } from "../orders/read-event.js";
import type { TimelineEvent } from "../orders/timeline.js";
import { clockText } from "../shared/business-day.js";
import { actorName } from "./actor-name.js";
import { eventSentence } from "./event-sentence.js";
import { EXPLANATION_TEXT } from "./explanation-text.js";
import { walletName } from "./wallet-name.js";

/** The stored facts about the status of an order. */
interface StatusFacts {
  readonly order: Order;
  readonly timeline: readonly TimelineEvent[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Returns the status of an order with who confirmed it and when.
 *
 * If the timeline does not contain a fact, the text states that it is not known.
 */
export function statusProof(
  { order, timeline, now }: StatusFacts,
  timeZone: string,
  language: Language,
): string {
  const { payChannel, paymentStatus, nextQueryAt } = order;
  const words = EXPLANATION_TEXT[language].proof;
  const wallet = walletName(payChannel, language);
  const time = (at: number) => clockText(timeZone, at, now);
  const actorOf = ({ actor }: TimelineEvent) => actorName(actor, payChannel, language);
  if (paymentStatus === "PENDING") {
    if (nextQueryAt === undefined) return words.notAsked(wallet);
    return (nextQueryAt > now ? words.asked : words.overdue)(wallet, time(nextQueryAt));
  }
  // The last event that changed the order to this status. Later events, such as alarms, do not
  // prove the status.
  const last = timeline.findLast(({ to }) => to === paymentStatus);
  const importEvent = timeline.find(({ type }) => type === "IMPORTED");
  if (last === undefined)
    return importEvent === undefined
      ? words.unknown
      : words.imported(actorOf(importEvent), time(importEvent.at), wallet);
  if (last.type === "PAID" || last.type === "LATE_PAYMENT") {
    const { details } = readEvent({ ...last, type: last.type });
    return details === undefined ? words.unknown : words.paid(details.source, wallet, time(last.at));
  }
  if (last.type === "REFUNDED") return words.refunded(actorOf(last), time(last.at));
  return words.closed(eventSentence(last, payChannel, language), time(last.at));
}
