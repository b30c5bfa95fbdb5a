import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { harmlessDetail } from "../personal-data/harmless-detail.js";
import { emit } from "../shared/emit.js";
import type { DeliveryPorts } from "./delivery-ports.js";
import type { ClaimedDelivery } from "./event-delivery-store.js";
import type { OrderEvent } from "./order-event.js";
import type { FailedAttempt } from "./within-deadline.js";
import { errorCode, harmlessErrorCode, isError } from "../errors/is-error.js";

/**
 * Stores a failed attempt. The delivery continues after a pause, or is parked after the last
 * attempt.
 *
 * Stores the name and the message of the error, without numbers, addresses and keys. The observer
 * receives `event.failed` or `event.parked` with the name, the code and the stack frames, and
 * without the message, which can contain personal data. Has no effect if the claim is lost.
 */
export function failDelivery(
  ports: Pick<DeliveryPorts, "eventDeliveries" | "clock" | "observer" | "policy">,
  delivery: ClaimedDelivery,
  event: OrderEvent,
  end: FailedAttempt,
): ResultAsync<void, StorageFailure> {
  const { eventTries, eventRetryPauses, workLease } = ports.policy;
  const now = ports.clock.now();
  const tries = delivery.tries + 1;
  const parks = tries >= eventTries;
  const pause = eventRetryPauses[Math.min(tries, eventRetryPauses.length) - 1] ?? workLease;
  const reason = end.kind === "timeout" ? undefined : describeThrown(end.error);
  const failure = reason?.text ?? "timeout";
  const result = { ...(parks ? { parkedAt: now } : { nextTryAt: now + pause }), failure };
  return ports.eventDeliveries.fail(delivery, result).map((isStored) => {
    if (!isStored) return;
    emit(ports, {
      type: parks ? "event.parked" : "event.failed",
      appId: event.appId,
      orderId: event.orderId,
      handler: delivery.handler,
      eventId: event.id,
      eventType: event.type,
      tries,
      reason: end.kind,
      ...reason?.facts,
    });
  });
}

/** The maximum number of stack frames, and the maximum length of one frame, in characters. */
const PLACES = { most: 20, width: 200 } as const;

/**
 * Returns the code of an error or of its cause: some libraries wrap the error that has the code.
 */
function codeOf(error: Error): string | undefined {
  return harmlessErrorCode(errorCode(error) === undefined ? error.cause : error);
}

/** Returns the frames of a stack, the newest first, without the message. */
function placesOf({ message, stack = "" }: Error): readonly string[] {
  return stack
    .replace(message, "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, PLACES.most)
    .map((line) => line.trim().slice(0, PLACES.width));
}

interface Thrown {
  readonly text: string;
  readonly facts?: { readonly error: string; readonly code?: string; readonly at: readonly string[] };
}

/**
 * Describes what a handler threw. The value can have any type, and reading its fields may throw.
 */
function describeThrown(error: unknown): Thrown {
  try {
    if (!isError(error)) return { text: harmlessDetail(String(error), []) };
    const text = harmlessDetail(`${error.name}: ${error.message}`, []);
    const code = codeOf(error);
    return {
      text,
      facts: { error: error.name, ...(code === undefined ? {} : { code }), at: placesOf(error) },
    };
  } catch {
    return { text: "an error that cannot be read" };
  }
}
