import type { TimelineEventType } from "../orders/event-details.js";
import { type EventFacts, readEvent } from "../orders/read-event.js";
import type { Language } from "../errors/message.js";
import type { TimelineEntry } from "../orders/timeline.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";
import { EVENT_TEXT } from "./event-text.js";
import { actorName } from "./actor-name.js";
import { walletName } from "./wallet-name.js";

/**
 * Returns the sentence of an event, in the reader's language.
 *
 * The function creates the sentence from the stored data. Only text that a person wrote keeps its
 * language.
 *
 * @param payChannel - the channel of the order, for the name of the wallet.
 * @returns the sentence, without its time and without a full stop.
 * @example
 * ```ts
 * import type { Order } from "@tillkit/core";
 * import { eventSentence } from "@tillkit/core/operators";
 *
 * declare const order: Order;
 *
 * const sentences = await ports.orders
 *   .timeline(order)
 *   .map((timeline) => timeline.map((event) => eventSentence(event, order.payChannel, "en")));
 * ```
 */
export function eventSentence(
  entry: TimelineEntry,
  payChannel: PayChannel | undefined,
  language: Language,
): string {
  const facts = readEvent(entry);
  const { because, titles, unreadable } = EVENT_TEXT[language];
  const names = {
    who: actorName(entry.actor, payChannel, language),
    wallet: walletName(payChannel, language),
  };
  const sentence = sentenceOf(facts, names, language) ?? unreadable(titles[entry.type], names.who);
  return facts.reason === "" ? sentence : because(sentence, facts.reason);
}

function sentenceOf<T extends TimelineEventType>(
  { type, details }: EventFacts<T>,
  names: { readonly who: string; readonly wallet: string },
  language: Language,
): string | undefined {
  return details === undefined ? undefined : EVENT_TEXT[language].sentences[type](details, names);
}
