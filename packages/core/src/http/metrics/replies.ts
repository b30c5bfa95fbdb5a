import type { DownloadsFailure, DownloadsReport } from "../../downloads/report.js";
import { secondsUntil } from "../../shared/seconds-until.js";
import { jsonReply, typedJson } from "../replies.js";
import type { HttpReply } from "../request.js";
import { METRICS_ERRORS } from "./metrics-errors.js";
import { reportJson } from "./response-json.js";
import type { DownloadsFailureRecord } from "./response-schemas.js";

/**
 * Creates the reply with a report, for both versions.
 *
 * Compression is safe: the reply has no secret, and only the two dates are from the request. The
 * `ETag` does not cover `usage`, which changes with every request.
 */
export function reportReply(report: DownloadsReport): HttpReply<string> {
  const { text, entries } = reportJson(report);
  return { ...jsonReply(200, text, allowanceHeaders(report)), negotiable: { content: entries } };
}

/** Creates the reply to a failure. The status is that of v2, from {@link METRICS_ERRORS}. */
export function metricsErrorReply(failure: DownloadsFailure): HttpReply<string> {
  const { errorCode, status, text } = METRICS_ERRORS[failure.name];
  const data = { result: "error", responseBody: text, errorCode } as const;
  if (failure.name !== "downloads.daily-limit-reached")
    return jsonReply(status, typedJson<DownloadsFailureRecord>({ data }).text);
  const { usage, resetAt } = failure;
  return jsonReply(status, typedJson<DownloadsFailureRecord>({ data: { ...data, ...usage, resetAt } }).text, {
    ...allowanceHeaders(failure),
    "retry-after": String(secondsUntil(failure.resetsIn, 0)),
  });
}

function allowanceHeaders({ usage, resetsIn }: Pick<DownloadsReport, "usage" | "resetsIn">) {
  return {
    "ratelimit-limit": String(usage.dailyLimit),
    "ratelimit-remaining": String(usage.remainingToday),
    "ratelimit-reset": String(secondsUntil(resetsIn, 0)),
  };
}
