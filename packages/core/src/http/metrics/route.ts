import * as z from "zod";
import type { DownloadsFailure, DownloadsReport } from "../../downloads/report.js";
import { lazySchema } from "../../shared/input.js";
import { jsonText } from "../json-text.js";
import { jsonReply } from "../replies.js";
import type { HttpReply } from "../request.js";
import { reportText } from "./report-text.js";
import { usageMembers } from "./responses.js";

/**
 * The wire code, v2 status and message of every failure of a downloads report.
 *
 * `retryable` is whether the same request may succeed later without a change.
 */
export const METRICS_ERRORS = {
  "downloads.parameter-missing": {
    errorCode: "MISSING_REQUIRED_QUERY_PARAMS",
    status: 400,
    retryable: false,
    text: "Query parameters id, start and end are all required",
  },
  "downloads.invalid-date": {
    errorCode: "INVALID_DATE",
    status: 400,
    retryable: false,
    text: "start and end must be real calendar days written YYYY-MM-DD, each given once",
  },
  "downloads.invalid-date-range": {
    errorCode: "INVALID_DATE_RANGE",
    status: 400,
    retryable: false,
    text: "start must not be later than end",
  },
  "downloads.date-range-too-long": {
    errorCode: "DATE_RANGE_TOO_LONG",
    status: 400,
    retryable: false,
    text: "The range has too many days; ask for a shorter one",
  },
  "downloads.id-not-allowed": {
    errorCode: "ID_NOT_ALLOWED",
    status: 403,
    retryable: false,
    text: "This id is not allowed",
  },
  "downloads.id-not-found": {
    errorCode: "ID_NOT_FOUND",
    status: 404,
    retryable: false,
    text: "The app of this id was not found",
  },
  "downloads.daily-limit-reached": {
    errorCode: "DAILY_LIMIT_REACHED",
    status: 429,
    retryable: true,
    text: "The daily allowance is used up; resetAt says when it starts anew",
  },
  "downloads.limit-check-failed": {
    errorCode: "LIMIT_CHECK_FAILED",
    status: 500,
    retryable: true,
    text: "The allowance could not be checked; please retry",
  },
  "downloads.fetch-failed": {
    errorCode: "DOWNLOADS_FETCH_FAILED",
    status: 500,
    retryable: true,
    text: "The downloads could not be read; please retry",
  },
} as const satisfies Record<
  DownloadsFailure["name"],
  {
    readonly errorCode: string;
    readonly status: number;
    readonly retryable: boolean;
    readonly text: string;
  }
>;

/** The response schema of a failed downloads report, for both versions. */
export const downloadsFailureResponse = lazySchema(() =>
  z
    .strictObject({
      data: z.strictObject({
        result: z.literal("error"),
        responseBody: z.string().describe("A text for people. Do not branch on it."),
        errorCode: z
          .enum(Object.values(METRICS_ERRORS).map(({ errorCode }) => errorCode))
          .meta({ id: "DownloadsErrorCode" }),
        ...z.object(usageMembers()).partial().shape,
        resetAt: z.iso.datetime({ offset: true }).optional().describe("When the allowance is reset."),
      }),
    })
    .meta({ id: "DownloadsFailure" }),
);
type FailureBody = z.output<ReturnType<typeof downloadsFailureResponse>>;

/** Creates the reply with a report, for both versions. */
export function reportReply(report: DownloadsReport): HttpReply {
  return jsonReply(200, reportText(report).text, allowanceHeaders(report));
}

/** Creates the reply to a failure, for both versions. The status is that of v2. */
export function metricsErrorReply(failure: DownloadsFailure): HttpReply {
  const { errorCode, status, text } = METRICS_ERRORS[failure.name];
  const data = { result: "error", responseBody: text, errorCode } as const;
  if (failure.name !== "downloads.daily-limit-reached")
    return jsonReply(status, jsonText<FailureBody>({ data }).text);
  const { usage, resetAt } = failure;
  return jsonReply(status, jsonText<FailureBody>({ data: { ...data, ...usage, resetAt } }).text, {
    ...allowanceHeaders(failure),
    "retry-after": seconds(failure.resetsIn),
  });
}

/**
 * Converts a v2 reply to the legacy version: the same body with status 200.
 *
 * `Retry-After` goes away, because it has no meaning for status 200.
 */
export function legacyReply({ headers, body }: HttpReply): HttpReply {
  const { "retry-after": _only429, ...others } = headers;
  return { status: 200, headers: others, body };
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
