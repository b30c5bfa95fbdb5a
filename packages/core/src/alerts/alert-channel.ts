import type { ResultAsync } from "neverthrow";
import type { Language } from "../errors/message.js";
import type { AttentionKind } from "./attention.js";

/** One kind of matter in a message. Contains no personal data and no text of a caller. */
export interface AlertFact {
  readonly kind: AttentionKind;
  /** The number of matters of this kind. */
  readonly count: number;
  /** When the oldest matter of this kind began, epoch milliseconds. */
  readonly since: number;
  /**
   * The app, the order and the amount in cents. Set only if the message is about one matter that
   * has them.
   */
  readonly appId?: string;
  readonly orderId?: string;
  readonly amount?: number;
}

/** A message to people. Contains no personal data, no secret and no text of a caller. */
export interface AlertMessage {
  /** The id of the message. A message that is sent again, after an unknown result, keeps its id. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly language: Language;
  /** Begins with `[Tillkit]`. */
  readonly title: string;
  readonly lines: readonly string[];
  /** The page of the dashboard where a person acts. Absent without a `dashboardUrl`. */
  readonly url?: string;
  /** What the message is about. Empty for a test message. */
  readonly facts: readonly AlertFact[];
}

/** Why a service did not accept a message. */
export interface AlertNotSent {
  readonly name: "alert.not-sent";
  /**
   * What is known about the message.
   *
   * - `refused`: the service refused it. The same message will be refused until a person acts.
   * - `rate-limited`: the service refuses messages for a while.
   * - `unreachable`: no connection was made, so nothing was sent.
   * - `unknown`: the message may have arrived.
   */
  readonly reason: "refused" | "rate-limited" | "unreachable" | "unknown";
  /** The service's own code and text. Contains no part of the address and no secret. */
  readonly detail: string;
  /** What to do, for an operator. */
  readonly advice: string;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

/**
 * A chat or another service that receives alerts.
 *
 * `@tillkit/host` has channels for Feishu, Lark, DingTalk, WeCom, Slack and any other service.
 */
export interface AlertChannel {
  /** The name under which the storage keeps what was sent to the channel. Unique in a host. */
  readonly name: string;
  /** The language of the messages to the channel. */
  readonly language: Language;
  /** The kinds of matters that the channel receives. Absent: all kinds. */
  readonly kinds?: readonly AttentionKind[] | undefined;
  /** The least time between two messages, in milliseconds. */
  readonly pauseMs: number;
  /** Sends one message within 20 s. Must not reject. */
  send(message: AlertMessage): ResultAsync<void, AlertNotSent>;
}
