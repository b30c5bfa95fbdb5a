import type { ResultAsync } from "neverthrow";

/** A request for a code, for `Ports.admitSms`. */
export interface SmsRequest {
  readonly appId: string;
  /** The phone number, E.164. */
  readonly mobileNo: string;
  /** The country of the number, two letters, ISO 3166. */
  readonly country: string;
}

/** What a code is for. */
export type SmsPurpose = "login";

/** One SMS with a verification code. */
export interface SmsMessage {
  /** The app whose customer asked for the code. */
  readonly appId: string;
  readonly purpose: SmsPurpose;
  /**
   * The language that the caller asked for, a BCP 47 tag such as `en` or `zh-Hant`.
   *
   * Absent if the caller named none. The carrier's templates decide which languages there are.
   */
  readonly language?: string;
  /** The phone number, E.164. */
  readonly mobileNo: string;
  readonly authCode: string;
  /** How long the code is valid, in milliseconds, for the text of the message. */
  readonly ttl: number;
}

/**
 * Why an SMS was not sent.
 *
 * `sms.rejected`: the carrier did not accept the message. `sms.unknown`: it may have been sent.
 */
export interface SmsFailure {
  readonly name: "sms.rejected" | "sms.unknown";
  /** Details for the operator, without the phone number and the code. */
  readonly detail: string;
}

/**
 * The SMS carrier. Tested by `smsSenderContract`.
 *
 * An implementation never resends a message by itself, because carriers offer no idempotency and
 * the message may have been sent despite `sms.unknown`. It resolves before a deadline and never
 * rejects.
 */
export interface SmsSender {
  /** Passes the message to the carrier. Success does not mean that the customer received it. */
  send(message: SmsMessage): ResultAsync<void, SmsFailure>;
}
