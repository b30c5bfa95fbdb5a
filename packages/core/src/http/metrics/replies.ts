import type { DownloadsFailure, DownloadsReport } from "../../downloads/report.js";
import { jsonReply } from "../replies.js";
import type { HttpReply } from "../request.js";
import { typedJson } from "../typed-json.js";
import { METRICS_ERRORS } from "./metrics-errors.js";
import { reportJson } from "./report-json.js";
import type { DownloadsFailureRecord } from "./response-schemas.js";

/**
 * Creates the reply with a report, for both versions.
 *
 * It may be compressed: it holds no secret, and nothing of the request but the two dates. `usage`
 * changes with every request, so the `ETag` stands for the counts alone.
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
    "retry-after": seconds(failure.resetsIn),
  });
}

function allowanceHeaders({ usage, resetsIn }: Pick<DownloadsReport, "usage" | "resetsIn">) {
  return {
    "ratelimit-limit": String(usage.dailyLimit),
    "ratelimit-remaining": String(usage.remainingToday),
    "ratelimit-reset": seconds(resetsIn),
  };
}

function seconds(milliseconds: number): string {
  return String(Math.ceil(milliseconds / 1_000));
}
