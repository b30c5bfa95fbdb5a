import type { SmsMessage, SmsSender } from "@tillkit/core";
import type { Answer, LocalServer } from "./local-server.js";

/** A test server for one carrier, with the carrier's signature check and documented answers. */
export interface TestCarrier<Changes extends object = object> extends LocalServer {
  /** The messages whose request was authentic and which the carrier accepted, oldest first. */
  readonly messages: Pick<SmsMessage, "mobileNo" | "authCode">[];
  /** The parameters of the authentic requests, oldest first. */
  readonly received: Readonly<Record<string, unknown>>[];
  /** Answers the following requests with this error code, by default with its documented status. */
  refuse(code: string, status?: number): void;
  /** Answers the following requests in this way. `undefined` accepts them. */
  answer(how: Answer | undefined): void;
  /** Creates a sender for this carrier, with the right credentials unless `changes` has others. */
  sender(changes?: Changes & { readonly secret?: string; readonly deadline?: number }): Promise<SmsSender>;
}

/** Credentials that only the tests use. */
export const TEST_KEY_ID = "test-key-id-4711";
/** The secret of {@link TEST_KEY_ID}. */
export const TEST_SECRET = "test-secret-0815-never-shown";
