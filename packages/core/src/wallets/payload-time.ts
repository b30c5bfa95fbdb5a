import type { Prepayment } from "./prepayment.js";

/** Milliseconds for which all callers get the same payload of a prepayment. */
const SHARED_PAYLOAD = 60_000;

/**
 * Returns the time at which the payload of a prepayment is signed, epoch milliseconds.
 *
 * In the prepayment's first minute, all callers get the same payload. After that, each call signs a
 * new one.
 */
export function payloadTime({ issuedAt }: Pick<Prepayment, "issuedAt">, now: number): number {
  return now < issuedAt + SHARED_PAYLOAD ? issuedAt : now;
}
