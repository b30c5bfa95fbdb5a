import type { DownloadsFailure, FailureCode } from "./types.js";
import type { FailureName } from "./generated/failures.js";

/** What is known of a call that failed. */
interface ErrorFacts {
  /** The call, such as `orders.create`. */
  readonly operation: string;
  /** Whether the same call may succeed later, and is safe to repeat. */
  readonly isRetryable: boolean;
  /** The number of requests that were sent. */
  readonly attempts: number;
  /** The HTTP status of the last response. Absent if no response arrived. */
  readonly status?: number | undefined;
  /** Identifies the request. Quote it when you contact the operator of the service. */
  readonly traceId?: string | undefined;
  /** The pause before a retry that the service asks for, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

/**
 * A call that failed. Every error of the client extends this class. No error contains a credential.
 */
export abstract class TillkitError extends Error {
  readonly operation: string;
  readonly isRetryable: boolean;
  readonly attempts: number;
  readonly status: number | undefined;
  readonly traceId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, facts: ErrorFacts) {
    super(message);
    this.operation = facts.operation;
    this.isRetryable = facts.isRetryable;
    this.attempts = facts.attempts;
    this.status = facts.status;
    this.traceId = facts.traceId;
    this.retryAfter = facts.retryAfter;
  }
}

/** The service answered with a failure of its catalog. */
export class TillkitApiError extends TillkitError {
  override readonly name = "TillkitApiError";
  /** The number of the failure. It never changes its meaning. New numbers may be added. */
  readonly code: FailureCode | (number & {});
  /** The name of the failure. `unknown` if this version of the client does not know its code. */
  readonly failure: FailureName | "unknown";

  constructor(answer: { code: number; failure: FailureName | "unknown"; msg: string }, facts: ErrorFacts) {
    super(`${answer.failure} (${String(answer.code)}): ${answer.msg}`, facts);
    this.code = answer.code;
    this.failure = answer.failure;
  }
}

/** The downloads API answered with a failure. */
export class TillkitDownloadsError extends TillkitError {
  override readonly name = "TillkitDownloadsError";
  readonly errorCode: DownloadsFailure["errorCode"] | (string & {});
  /** The daily allowance and when it is reset, if the service stated them. */
  readonly usage: Pick<DownloadsFailure, "dailyLimit" | "usedToday" | "remainingToday" | "resetAt">;

  constructor(data: DownloadsFailure, facts: ErrorFacts) {
    super(`${data.errorCode}: ${data.responseBody}`, facts);
    const { dailyLimit, usedToday, remainingToday, resetAt } = data;
    this.errorCode = data.errorCode;
    this.usage = {
      ...(dailyLimit === undefined ? {} : { dailyLimit }),
      ...(usedToday === undefined ? {} : { usedToday }),
      ...(remainingToday === undefined ? {} : { remainingToday }),
      ...(resetAt === undefined ? {} : { resetAt }),
    };
  }
}

/** No complete response arrived in time. The request may or may not have taken effect. */
export class TillkitTimeoutError extends TillkitError {
  override readonly name = "TillkitTimeoutError";
}

/** The connection failed. The request may or may not have taken effect. */
export class TillkitConnectionError extends TillkitError {
  override readonly name = "TillkitConnectionError";
}

/**
 * The service did not write the response: it is, for example, an error page of a proxy.
 *
 * The request may or may not have taken effect.
 */
export class TillkitResponseError extends TillkitError {
  override readonly name = "TillkitResponseError";
}

/** The caller aborted the call. The request may or may not have taken effect. */
export class TillkitAbortError extends TillkitError {
  override readonly name = "AbortError";
}
