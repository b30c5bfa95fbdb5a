import { expect, it } from "vitest";
import { METRICS_ERRORS } from "./metrics-errors.js";

type Pinned = readonly [errorCode: string, status: number, retryable: boolean];

/** Callers depend on these codes. Add a row for each new failure, and never change one. */
const PINNED = {
  "downloads.parameter-missing": ["MISSING_REQUIRED_QUERY_PARAMS", 400, false],
  "downloads.invalid-date": ["INVALID_DATE", 400, false],
  "downloads.invalid-date-range": ["INVALID_DATE_RANGE", 400, false],
  "downloads.date-range-too-long": ["DATE_RANGE_TOO_LONG", 400, false],
  "downloads.id-not-allowed": ["ID_NOT_ALLOWED", 403, false],
  "downloads.id-not-found": ["ID_NOT_FOUND", 404, false],
  "downloads.daily-limit-reached": ["DAILY_LIMIT_REACHED", 429, true],
  "downloads.limit-check-failed": ["LIMIT_CHECK_FAILED", 500, true],
  "downloads.fetch-failed": ["DOWNLOADS_FETCH_FAILED", 500, true],
} as const satisfies Record<keyof typeof METRICS_ERRORS, Pinned>;

it("has exactly these codes, statuses and retry advice", () => {
  const actual = Object.entries(METRICS_ERRORS).map(
    ([name, { errorCode, status, retryable }]) => [name, [errorCode, status, retryable]] as const,
  );
  expect(Object.fromEntries(actual)).toEqual(PINNED);
});
