import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { emit } from "../shared/emit.js";
import { newId } from "../shared/random.js";
import type { PayToolCredentialExpiry } from "../wallets/wallet.js";
import type { AlertChannel, AlertMessage, AlertNotSent } from "./alert-channel.js";
import {
  afterSending,
  type AlertState,
  dueKeys,
  isUnderLoad,
  type MessageState,
  parseAlertState,
  withOpenMatters,
} from "./alert-state.js";
import { composeAlert } from "./compose-alert.js";
import type { AttentionItem } from "./attention.js";
import { type AttentionPorts, readAttention } from "./read-attention.js";

const MINUTE = 60_000;

/** How long a claim lasts. Sending a message takes at most a third of this time. */
const LEASE = MINUTE;
/** The pause between two reads of the matters that need a person. */
const LOOK_PAUSE = MINUTE / 2;
/** The pause after a message about many matters. The next message has the matters since then. */
const DIGEST_PAUSE = 5 * MINUTE;
const LONGEST_FAILURE_PAUSE = 15 * MINUTE;

/** The ports that {@link sendAlerts} uses. */
export type AlertPorts = AttentionPorts & Pick<Ports, "alerts" | "observer" | "random">;

/** What {@link sendAlerts} needs beside its ports. */
export interface SendAlertsOptions {
  /** Returns when the credentials expire, for example from a cache. */
  readonly readExpiries: () => ResultAsync<readonly PayToolCredentialExpiry[], StorageFailure>;
  /** The public address of the dashboard, without a trailing slash. */
  readonly dashboardUrl?: string | undefined;
}

/**
 * Sends at most one message to a channel about what needs a person.
 *
 * Run it on a timer in every process. One process at a time can claim a channel, and the storage
 * keeps what was sent. A message is about one matter, or about all due matters if there are many.
 * Until a matter is dealt with, its message is repeated after the pauses of `policy.alertPauses`.
 *
 * If the result of a message is unknown, for example because the process died, the message is sent
 * once more. If the service refuses a message or cannot be reached, Tillkit tries again after a
 * pause. The pause grows from 30 seconds to 15 minutes, and is longer if the service asks for it.
 *
 * @returns nothing. Fails only if the storage fails. The observer receives the event
 *   `alert.not-sent` for a message that was not sent.
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/telemetry.md |
 *   Metrics and alerts come from the record, traces from wrappers}
 * @example
 * ```ts
 * import { okAsync } from "neverthrow";
 * import { type AlertChannel, sendAlerts } from "@tillkit/core";
 *
 * declare const channel: AlertChannel;
 *
 * const sent = await sendAlerts(ports, channel, { readExpiries: () => okAsync([]) });
 * if (sent.isErr()) console.error(sent.error.name);
 * ```
 */
export function sendAlerts(
  ports: AlertPorts,
  channel: AlertChannel,
  { readExpiries, dashboardUrl }: SendAlertsOptions,
): ResultAsync<void, StorageFailure> {
  const save = (id: string, state: AlertState, after: { until: number } | { dueAt: number }) =>
    ports.alerts.save(channel.name, id, JSON.stringify(state), after);
  return attempt(async () => {
    const now = ports.clock.now();
    const claimId = newId(ports);
    const claim = await ports.alerts.claim(channel.name, { id: claimId, now, until: now + LEASE });
    if (claim.isErr()) return err(claim.error);
    if (claim.value === undefined) return ok(undefined);
    const expiries = await readExpiries();
    if (expiries.isErr()) return err(expiries.error);
    const attention = await readAttention(ports, expiries.value);
    if (attention.isErr()) return err(attention.error);
    const items = attention.value.filter(({ kind }) => channel.kinds?.includes(kind) ?? true);
    const current = withOpenMatters(parseAlertState(claim.value), items, now);
    const { state, message } = nextMessage(ports, current, items, now);
    if (message === undefined)
      return (await save(claimId, state, { dueAt: now + LOOK_PAUSE })).map(() => undefined);
    const alert = await composeAlert(ports, itemsOf(message, items), {
      id: message.id,
      at: now,
      language: channel.language,
      dashboardUrl,
      sends: Math.min(...message.keys.map((key) => state.matters[key]?.sends ?? 0)),
    });
    if (alert.isErr()) return err(alert.error);
    // Stored before the message is sent. If this process dies, the next process sends it once more.
    const inFlight = { ...state, sending: message };
    const renewal = await save(claimId, inFlight, { until: ports.clock.now() + LEASE });
    if (renewal.isErr()) return err(renewal.error);
    if (!renewal.value) return ok(undefined);
    const result = await sendSafely(channel, alert.value);
    const end = ports.clock.now();
    report(ports, channel, message, inFlight, result);
    const after = result.isOk()
      ? afterSuccess(inFlight, message, items, end, channel, ports)
      : afterFailure(inFlight, message, end, result.error, ports);
    return (await save(claimId, after.state, { dueAt: after.dueAt })).map(() => undefined);
  });
}

/** Chooses the next message. A message without a known result is sent once more. */
function nextMessage(
  ports: AlertPorts,
  current: AlertState,
  items: readonly AttentionItem[],
  now: number,
): { readonly state: AlertState; readonly message?: MessageState } {
  const { sending, ...rest } = current;
  const open = new Set(items.map(({ key }) => key));
  const keys = sending?.keys.filter((key) => open.has(key)) ?? [];
  if (sending !== undefined && !sending.isRepeated && keys.length > 0)
    return { state: rest, message: { id: sending.id, keys, isRepeated: true } };
  const state = sending === undefined ? rest : afterSending(rest, sending, now, ports.policy);
  const due = dueKeys(state, items, now);
  if (due.length === 0) return { state };
  return { state, message: { id: newId(ports), keys: due, isRepeated: false } };
}

function itemsOf({ keys }: MessageState, items: readonly AttentionItem[]): readonly AttentionItem[] {
  const keySet = new Set(keys);
  return items.filter(({ key }) => keySet.has(key));
}

/** Sends the message. If the channel throws or rejects, the result of the message is unknown. */
async function sendSafely(channel: AlertChannel, message: AlertMessage): Promise<Result<void, AlertNotSent>> {
  try {
    return await channel.send(message);
  } catch {
    return err({
      name: "alert.not-sent",
      reason: "unknown",
      detail: "the channel threw an error",
      advice: "Correct the channel: its method send must return a failure instead.",
    });
  }
}

interface AfterMessage {
  readonly state: AlertState;
  readonly dueAt: number;
}

function afterSuccess(
  inFlight: AlertState,
  message: MessageState,
  items: readonly AttentionItem[],
  now: number,
  { pauseMs }: Pick<AlertChannel, "pauseMs">,
  { policy }: Pick<Ports, "policy">,
): AfterMessage {
  const state = afterSending(inFlight, message, now, policy);
  const isDigest = message.keys.length > 1 || isUnderLoad(state);
  const more = dueKeys(state, items, now).length > 0;
  const pause = isDigest ? DIGEST_PAUSE : more ? 0 : LOOK_PAUSE;
  return { state, dueAt: now + Math.max(pause, pauseMs) };
}

function afterFailure(
  inFlight: AlertState,
  message: MessageState,
  now: number,
  { reason, retryAfterMs = 0 }: AlertNotSent,
  { policy }: Pick<Ports, "policy">,
): AfterMessage {
  const { sending, ...rest } = inFlight;
  const failures = inFlight.failures + 1;
  const pause = Math.min(LOOK_PAUSE * 2 ** Math.min(failures - 1, 10), LONGEST_FAILURE_PAUSE);
  const dueAt = now + Math.max(pause, retryAfterMs);
  if (reason !== "unknown") return { state: { ...rest, failures }, dueAt };
  // The message may have arrived. It is sent once more, and then counts as sent.
  if (message.isRepeated) return { state: { ...afterSending(rest, message, now, policy), failures }, dueAt };
  return { state: { ...rest, failures, sending }, dueAt };
}

function report(
  ports: Pick<Ports, "observer">,
  { name: channel }: AlertChannel,
  { keys, isRepeated }: MessageState,
  { failures }: AlertState,
  result: Result<void, AlertNotSent>,
): void {
  if (result.isOk()) {
    emit(ports, { type: "alert.sent", channel, matters: keys.length, isRepeated });
    return;
  }
  const { reason, detail, advice } = result.error;
  emit(ports, { type: "alert.not-sent", channel, reason, detail, advice, failures: failures + 1 });
}
