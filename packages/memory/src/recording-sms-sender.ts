import type { SmsFailure, SmsMessage, SmsSender } from "@tillkit/core";
import { errAsync, okAsync } from "neverthrow";
import { frozen } from "./frozen.js";

/** An SMS carrier that keeps what it is given and sends nothing. */
export interface RecordingSmsSender extends SmsSender {
  /** What it accepted, oldest first. */
  readonly messages: readonly SmsMessage[];
  /** Makes the next message fail so; it is not among `messages`. Called twice, it fails the next two. */
  failNext(failure: SmsFailure): void;
}

/** A carrier for tests: read the code a customer would get from `messages`. */
export function recordingSmsSender(): RecordingSmsSender {
  const accepted: SmsMessage[] = [];
  const failures: SmsFailure[] = [];
  return {
    get messages() {
      return [...accepted];
    },
    failNext: (failure) => void failures.push(failure),
    send: (message) => {
      const failure = failures.shift();
      if (failure !== undefined) return errAsync(failure);
      accepted.push(frozen(message));
      return okAsync(undefined);
    },
  };
}
