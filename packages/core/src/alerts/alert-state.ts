import * as z from "zod";
import type { Policy } from "../policy.js";
import { DAY } from "../shared/date.js";
import type { AttentionItem } from "./attention.js";

const MINUTE = 60_000;

/** The largest number of due matters that are sent one by one. More matters become one message. */
const SINGLE_MATTERS = 3;
/** After this many messages within {@link LOAD_WINDOW}, further matters become one message. */
const SINGLE_MESSAGES = 5;
const LOAD_WINDOW = 10 * MINUTE;
/**
 * How long a matter is remembered after it is gone.
 *
 * A refund that is tried again may bring the matter back.
 */
const MEMORY = 60 * MINUTE;

/** What was sent to a channel. Times are epoch milliseconds. */
export interface AlertState {
  /** The matters by key: how often each was sent, when it is due, and when it was last open. */
  readonly matters: Readonly<Record<string, MatterState>>;
  /** When the last messages were sent. */
  readonly sentAt: readonly number[];
  /** The number of failed messages since the last one that was sent. */
  readonly failures: number;
  /** The message whose sending began and whose result is not known. */
  readonly sending?: MessageState | undefined;
}

interface MatterState {
  readonly sends: number;
  readonly dueAt: number;
  readonly seenAt: number;
}

/** A message: its id, the keys of its matters, and whether this is its second sending. */
export interface MessageState {
  readonly id: string;
  readonly keys: readonly string[];
  readonly isRepeated: boolean;
}

const time = z.number();
const stateSchema = z.object({
  matters: z.record(z.string(), z.object({ sends: time, dueAt: time, seenAt: time })),
  sentAt: z.array(time),
  failures: time,
  sending: z.object({ id: z.string(), keys: z.array(z.string()), isRepeated: z.boolean() }).optional(),
});

const NOTHING_SENT: AlertState = { matters: {}, sentAt: [], failures: 0 };

/** Reads a stored state. Returns the empty state for a text that this version cannot read. */
export function parseAlertState(text: string): AlertState {
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    return NOTHING_SENT;
  }
}

/** Adds the new matters, and removes the matters that were last open an hour ago or earlier. */
export function withOpenMatters(
  state: AlertState,
  items: readonly Pick<AttentionItem, "key">[],
  now: number,
): AlertState {
  const recent = Object.entries(state.matters).filter(([, { seenAt }]) => seenAt + MEMORY > now);
  const open = items.map(({ key }) => {
    const { sends = 0, dueAt = now } = state.matters[key] ?? {};
    return [key, { sends, dueAt, seenAt: now }] as const;
  });
  return {
    ...state,
    matters: Object.fromEntries([...recent, ...open]),
    sentAt: state.sentAt.filter((at) => at + LOAD_WINDOW > now),
  };
}

/**
 * Returns the keys of the matters of the next message. Empty if none is due.
 *
 * One message contains all due matters if there are more than {@link SINGLE_MATTERS}, or if the
 * channel is under load. Otherwise a message contains one matter.
 */
export function dueKeys(state: AlertState, items: readonly AttentionItem[], now: number): readonly string[] {
  const due = items.map(({ key }) => key).filter((key) => (state.matters[key]?.dueAt ?? now) <= now);
  return due.length > SINGLE_MATTERS || isUnderLoad(state) ? due : due.slice(0, 1);
}

/**
 * Returns whether the channel got so many messages in the last ten minutes that it should get
 * fewer.
 */
export function isUnderLoad({ sentAt }: AlertState): boolean {
  return sentAt.length >= SINGLE_MESSAGES;
}

/** Returns the state after a message was sent, or counts as sent. */
export function afterSending(
  state: AlertState,
  { keys }: Pick<MessageState, "keys">,
  now: number,
  { alertPauses }: Pick<Policy, "alertPauses">,
): AlertState {
  const matters = keys.flatMap((key) => {
    const matter = state.matters[key];
    if (matter === undefined) return [];
    const pause = alertPauses[matter.sends] ?? alertPauses.at(-1) ?? DAY;
    // With a pause of zero, a matter is still sent at most once a minute.
    return [[key, { ...matter, sends: matter.sends + 1, dueAt: now + Math.max(pause, MINUTE) }] as const];
  });
  return {
    matters: { ...state.matters, ...Object.fromEntries(matters) },
    sentAt: [...state.sentAt, now],
    failures: 0,
  };
}
