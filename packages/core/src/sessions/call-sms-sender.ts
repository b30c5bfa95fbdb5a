import { err, type Result } from "neverthrow";
import { harmlessDetail } from "../personal-data/harmless-detail.js";
import type { Ports } from "../ports.js";
import { emit } from "../shared/emit.js";
import type { SmsFailure, SmsMessage, SmsSender } from "./sms-sender.js";

/**
 * Passes a message to the carrier, and emits the outcome and duration to the observer.
 *
 * If the adapter throws or rejects, the outcome is `unknown`, because the message may have been
 * sent.
 */
export async function callSmsSender(
  ports: Pick<Ports, "clock" | "observer">,
  smsSender: SmsSender,
  message: SmsMessage,
): Promise<"ok" | "rejected" | "unknown"> {
  const startedAt = ports.clock.now();
  const { appId } = message;
  const sent = await settled(smsSender, message);
  const durationMs = ports.clock.now() - startedAt;
  if (sent.isOk()) {
    emit(ports, { type: "sms.called", appId, outcome: "ok", durationMs });
    return "ok";
  }
  const { name, detail } = sent.error;
  const outcome = name === "sms.rejected" ? "rejected" : "unknown";
  emit(ports, {
    type: "sms.called",
    appId,
    outcome,
    durationMs,
    ...(isPersonal(detail, message) ? {} : { detail: harmlessDetail(detail, []) }),
  });
  return outcome;
}

async function settled(smsSender: SmsSender, message: SmsMessage): Promise<Result<void, SmsFailure>> {
  try {
    return await smsSender.send(message);
  } catch {
    return err({ name: "sms.unknown", detail: "the SMS adapter threw an error" });
  }
}

/**
 * Returns whether a detail quotes the phone number or the code.
 *
 * Such a detail must not be logged.
 */
function isPersonal(detail: string, { mobileNo, authCode }: SmsMessage): boolean {
  // A detail may write the digits one by one, as a voice call speaks them.
  const digits = detail.replace(/\D/g, "");
  return digits.includes(authCode) || digits.includes(mobileNo.slice(-8));
}
