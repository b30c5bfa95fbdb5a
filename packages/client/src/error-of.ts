import type { Call } from "./call.js";
import {
  TillkitAbortError,
  TillkitApiError,
  TillkitConnectionError,
  TillkitDownloadsError,
  type TillkitError,
  TillkitResponseError,
  TillkitTimeoutError,
} from "./errors.js";
import { FAILURES, RETRYABLE } from "./generated/failures.js";
import type { Sent } from "./send-once.js";

/** Returns the error of a call after its last request. */
export function errorOf(
  sent: Sent<unknown>,
  { operation, isRepeatable }: Pick<Call<unknown>, "operation" | "isRepeatable">,
  attempts: number,
): TillkitError {
  const facts = { operation, attempts, isRetryable: isRepeatable };
  switch (sent.kind) {
    case "timeout":
      return new TillkitTimeoutError(`${operation}: no response in time`, facts);
    case "disconnected":
      return new TillkitConnectionError(`${operation}: the connection failed`, facts);
    case "aborted":
      return new TillkitAbortError(`${operation}: aborted by the caller`, { ...facts, isRetryable: false });
    case "unreadable": {
      const { status, traceId, retryAfter } = sent;
      const message = `${operation}: the response with status ${String(status)} is not one of the service`;
      // A wrong address answers every request with a page or a redirect, so a retry cannot help.
      const isRetryable = isRepeatable && (status >= 500 || status === 429 || status === 200);
      return new TillkitResponseError(message, { ...facts, isRetryable, status, traceId, retryAfter });
    }
    case "answered": {
      const { status, traceId, retryAfter, answer } = sent;
      if (answer.ok) throw new TypeError("A success has no error.");
      const { code, msg, downloads } = answer;
      const seen = { ...facts, status, traceId, retryAfter };
      if (downloads !== undefined) {
        const isRetryable = RETRYABLE_DOWNLOADS.has(downloads.errorCode);
        return new TillkitDownloadsError(downloads, { ...seen, isRetryable });
      }
      const isRetryable = isRepeatable && RETRYABLE.has(code);
      const failure = FAILURES[code] ?? "unknown";
      return new TillkitApiError({ code, failure, msg }, { ...seen, isRetryable });
    }
  }
}

/**
 * The failures of downloads after which a retry can help.
 *
 * A used-up allowance is not among them, because it stays used up until the end of the day.
 */
const RETRYABLE_DOWNLOADS: ReadonlySet<string> = new Set(["LIMIT_CHECK_FAILED", "DOWNLOADS_FETCH_FAILED"]);
