import type { SmsFailure, SmsMessage, SmsSender } from "@tillkit/core";
import { errAsync, okAsync } from "neverthrow";
import { frozen } from "../state/frozen.js";

/** An SMS sender that records messages instead of sending them. */
export interface RecordingSmsSender extends SmsSender {
  /** The accepted messages, oldest first. */
  readonly messages: readonly SmsMessage[];
  /** The messages that failed, oldest first. After `sms.unknown`, a message may still arrive. */
  readonly failed: readonly SmsMessage[];
  /**
   * Makes the next message fail with `failure`. Repeated calls queue further failures.
   *
   * A failed message is added to `failed` instead of `messages`.
   */
  failNext(failure: SmsFailure): void;
}

/**
 * Creates an SMS sender for tests. A test reads the code of a customer from `messages`.
 *
 * @returns the sender. `messages` contains every accepted message, oldest first.
 * @example
 * ```ts
 * import { memoryPorts, recordingSmsSender } from "@tillkit/memory";
 *
 * const smsSender = recordingSmsSender();
 * const ports = memoryPorts({ smsSender });
 * const code = smsSender.messages.at(-1)?.authCode;
 * ```
 */
export function recordingSmsSender(): RecordingSmsSender {
  const accepted: SmsMessage[] = [];
  const failed: SmsMessage[] = [];
  const failures: SmsFailure[] = [];
  return {
    get messages() {
      return [...accepted];
    },
    get failed() {
      return [...failed];
    },
    failNext: (failure) => void failures.push(failure),
    send: (message) => {
      const failure = failures.shift();
      if (failure !== undefined) {
        failed.push(frozen(message));
        return errAsync(failure);
      }
      accepted.push(frozen(message));
      return okAsync(undefined);
    },
  };
}
