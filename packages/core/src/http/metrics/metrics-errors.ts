import type { DownloadsFailure } from "../../downloads/report.js";

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
    text: "The allowance could not be checked",
  },
  "downloads.fetch-failed": {
    errorCode: "DOWNLOADS_FETCH_FAILED",
    status: 500,
    retryable: true,
    text: "The downloads could not be read",
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
