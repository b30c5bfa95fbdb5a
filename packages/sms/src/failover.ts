import type { SmsFailure, SmsMessage, SmsSender } from "@tillkit/core";
import { err, type Result, ResultAsync } from "neverthrow";

/**
 * Creates a sender that passes a message to the next carrier after a definite rejection.
 *
 * It stops after `sms.unknown`, because the message may have been sent: a second carrier could send
 * it twice. If all carriers reject the message, the failure lists their details.
 *
 * @param senders - the carriers, in the order in which they are tried. At least one.
 * @returns the sender, for the port `smsSender`.
 * @throws RangeError if there is no carrier.
 * @example
 * ```ts
 * import type { SmsSender } from "@tillkit/core";
 * import { failover } from "@tillkit/sms";
 *
 * declare const firstCarrier: SmsSender;
 * declare const secondCarrier: SmsSender;
 *
 * const smsSender = failover([firstCarrier, secondCarrier]);
 * ```
 */
export function failover(senders: readonly SmsSender[]): SmsSender {
  if (senders.length === 0) throw new RangeError("failover needs at least one carrier.");
  return { send: (message) => new ResultAsync(sendInTurn(senders, message)) };
}

async function sendInTurn(
  senders: readonly SmsSender[],
  message: SmsMessage,
): Promise<Result<void, SmsFailure>> {
  const details: string[] = [];
  for (const sender of senders) {
    const sent = await sendOf(sender, message);
    if (sent.isOk() || sent.error.name !== "sms.rejected") return sent;
    details.push(sent.error.detail);
  }
  return err({ name: "sms.rejected", detail: details.join("; ") });
}

/** Sends a message. Returns `sms.unknown` if the sender throws: it may have sent the message. */
async function sendOf(sender: SmsSender, message: SmsMessage): Promise<Result<void, SmsFailure>> {
  try {
    return await sender.send(message);
  } catch {
    return err({ name: "sms.unknown", detail: "the carrier's adapter threw an error" });
  }
}
