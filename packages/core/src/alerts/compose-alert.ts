import { ok, type ResultAsync } from "neverthrow";
import type { Language } from "../errors/message.js";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { newId } from "../shared/random.js";
import type { AlertChannel, AlertFact, AlertMessage } from "./alert-channel.js";
import { ALERT_TEXT } from "./alert-text.js";
import { ATTENTION_KINDS, type AttentionItem, type AttentionKind } from "./attention.js";

const MINUTE = 60_000;
/** The longest line, in characters. The longest ids and texts of Tillkit fit. */
const LONGEST_LINE = 240;

/** What a message depends on, besides the matters. */
export interface AlertCircumstances {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly language: Language;
  readonly dashboardUrl?: string | undefined;
  /** How often the matter was sent before. */
  readonly sends: number;
}

/**
 * Writes the message about matters, from the data as it is now.
 *
 * The message names the order by the id that Tillkit gave it. It never contains the caller's
 * `bizNo`, the customer, titles, reasons or names of operators.
 */
export function composeAlert(
  ports: Pick<Ports, "orders">,
  items: readonly AttentionItem[],
  circumstances: AlertCircumstances,
): ResultAsync<AlertMessage, StorageFailure> {
  return attempt(async () => {
    const [item] = items;
    if (item === undefined || items.length > 1) return ok(digest(items, circumstances));
    if (!("bizNo" in item)) return ok(about(item, circumstances, undefined));
    const order = await ports.orders.find(item);
    return order.map((found) => about(item, circumstances, found?.id));
  });
}

/**
 * Writes a message that shows that a channel works.
 *
 * @returns the message, for the method `send` of the channel.
 * @example
 * ```ts
 * import { type AlertChannel, testAlert } from "@tillkit/core";
 * import { systemClock as clock, systemRandom as random } from "@tillkit/runtime";
 *
 * declare const channel: AlertChannel;
 *
 * const sent = await channel.send(testAlert({ clock, random }, channel));
 * console.log(sent.isOk() ? "sent" : sent.error.advice);
 * ```
 */
export function testAlert(
  ports: Pick<Ports, "clock" | "random">,
  { language }: Pick<AlertChannel, "language">,
): AlertMessage {
  const { title, line } = ALERT_TEXT[language].test;
  return message(
    { id: newId(ports), at: ports.clock.now(), language, sends: 0 },
    title,
    [line],
    [],
    undefined,
  );
}

/** The view of the dashboard where a person acts on a matter of a kind. */
const VIEWS: Partial<Record<AttentionKind, string>> = {
  "bill-exception": "/bills",
  "bill-days-missing": "/bills",
  "credential-expiring": "/setup",
};

function about(
  item: AttentionItem,
  circumstances: AlertCircumstances,
  orderId: string | undefined,
): AlertMessage {
  const { language, at, sends } = circumstances;
  const text = ALERT_TEXT[language];
  const { kind, since } = item;
  const lines = [
    text.fact(item, orderId ?? "-", at),
    ...(kind === "credential-expiring" ? [] : [text.openFor(text.duration((at - since) / MINUTE))]),
    ...(sends > 0 ? [text.reminder(sends)] : []),
    text.kinds[kind].advice,
  ];
  const fact: AlertFact = {
    kind,
    count: 1,
    since,
    ...("appId" in item ? { appId: item.appId } : {}),
    ...(orderId === undefined ? {} : { orderId }),
    ...("amount" in item ? { amount: item.amount } : {}),
  };
  // The link opens a search for the order, because the address of the order's page contains the
  // `bizNo`.
  const view = VIEWS[kind] ?? (orderId === undefined ? "/today" : `/search?q=${orderId}`);
  return message(circumstances, text.kinds[kind].one, lines, [fact], view);
}

function digest(items: readonly AttentionItem[], circumstances: AlertCircumstances): AlertMessage {
  const { language, at } = circumstances;
  const text = ALERT_TEXT[language];
  const facts = ATTENTION_KINDS.flatMap((kind): readonly AlertFact[] => {
    const theirs = items.filter((item) => item.kind === kind);
    if (theirs.length === 0) return [];
    return [{ kind, count: theirs.length, since: Math.min(...theirs.map(({ since }) => since)) }];
  });
  const lines = facts.map(({ kind, count, since }) =>
    text.digestLine(text.kinds[kind].many, count, text.duration((at - since) / MINUTE)),
  );
  return message(circumstances, text.digestTitle(items.length), lines, facts, "/today");
}

function message(
  { id, at, language, dashboardUrl }: AlertCircumstances,
  title: string,
  lines: readonly string[],
  facts: readonly AlertFact[],
  view: string | undefined,
): AlertMessage {
  return {
    id,
    at,
    language,
    facts,
    title: `[Tillkit] ${title}`,
    lines: lines.map(plain),
    ...(dashboardUrl === undefined || view === undefined ? {} : { url: dashboardUrl + view }),
  };
}

/** Replaces what a chat could read as a mention, a link or a new line, and limits the length. */
function plain(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}<>]/gu, " ").slice(0, LONGEST_LINE);
}
