import type { SmsFailure, SmsMessage, SmsSender } from "@tillkit/core";
import { err, type Result, ResultAsync } from "neverthrow";
import { neverConnected } from "./never-connected.js";

/** One request to a carrier. It may reject with anything that the SDK throws. */
export type CarrierCall = (message: SmsMessage) => Promise<Result<void, SmsFailure>>;

/**
 * Creates a sender that calls the carrier once per message and always resolves before the deadline.
 *
 * What the SDK throws may contain the message and the credentials, so no failure repeats it.
 */
export function sendOnce(carrier: string, deadline: number, call: CarrierCall): SmsSender {
  const send = async (message: SmsMessage): Promise<Result<void, SmsFailure>> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Result<void, SmsFailure>>((resolve) => {
      const detail = `${carrier} did not answer within ${deadline} ms`;
      timer = setTimeout(() => resolve(err({ name: "sms.unknown", detail })), deadline);
    });
    try {
      return await Promise.race([late, call(message)]);
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
