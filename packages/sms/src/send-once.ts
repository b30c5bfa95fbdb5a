import type { SmsFailure, SmsMessage, SmsSender } from "@tillkit/core";
import { err, type Result, ResultAsync } from "neverthrow";
import { neverConnected } from "./never-connected.js";

/**
 * One request to a carrier. It may reject with anything that the SDK throws.
 *
 * `signal` is aborted at the deadline, so that the SDK stops reading the answer.
 */
export type CarrierCall = (message: SmsMessage, signal: AbortSignal) => Promise<Result<void, SmsFailure>>;

/**
 * Creates a sender that calls the carrier once per message and always resolves by the deadline.
 *
 * An error of the SDK may contain the message and the credentials. No failure repeats its text.
 */
export function sendOnce(carrier: string, deadline: number, call: CarrierCall): SmsSender {
  if (!Number.isInteger(deadline) || deadline < 1 || deadline > LONGEST_DEADLINE)
    throw new RangeError(`A deadline must be a whole number of milliseconds from 1 to ${LONGEST_DEADLINE}.`);
  const send = async (message: SmsMessage): Promise<Result<void, SmsFailure>> => {
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Result<void, SmsFailure>>((resolve) => {
      const detail = `${carrier} did not answer within ${deadline} ms`;
      timer = setTimeout(() => {
        resolve(err({ name: "sms.unknown", detail }));
        controller.abort();
      }, deadline);
    });
    try {
      return await Promise.race([late, call(message, controller.signal)]);
    } catch (thrown) {
      const code = neverConnected(thrown);
      return code === undefined
        ? err({ name: "sms.unknown", detail: `${carrier} gave no readable answer` })
        : err({ name: "sms.rejected", detail: `no connection to ${carrier}: ${code}` });
    } finally {
      clearTimeout(timer);
    }
  };
  return { send: (message) => new ResultAsync(send(message)) };
}

/** The default deadline of a request, in milliseconds. */
export const DEFAULT_DEADLINE = 10_000;

/** Ten minutes. `setTimeout` would treat a time above 24 days as 1 ms. */
const LONGEST_DEADLINE = 600_000;
