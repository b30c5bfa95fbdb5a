import type { ResultAsync } from "neverthrow";

/** One verification message. */
export interface SmsMessage {
  /** E.164. */
  readonly mobileNo: string;
  readonly authCode: string;
  /** How long the code is valid, in milliseconds: for the text of the message. */
  readonly ttl: number;
}

/** `sms.rejected`: the carrier definitely did not take it. `sms.unknown`: it may have been sent. */
export interface SmsFailure {
  readonly name: "sms.rejected" | "sms.unknown";
  /** For the operator; never the number or the code. */
  readonly detail: string;
}

/**
 * The SMS carrier. Proved by `smsSenderContract`. It never repeats a message on its own: no carrier offers idempotency, so after
 * `sms.unknown` the message may have gone out. It ends within a bounded time and never rejects.
 */
export interface SmsSender {
  /** Hands the message to the carrier. Accepted is not yet delivered. */
  send(message: SmsMessage): ResultAsync<void, SmsFailure>;
}
