import { ERROR_CATALOG, type ErrorEntry, type FailureName } from "./catalog.js";

/**
 * Returns the HTTP status of a response with this failure.
 *
 * With `always-200`, the status is 200, except for rows of the catalog with `statusInEveryMode`.
 *
 * @returns the status code.
 * @example
 * ```ts
 * import { httpStatus } from "@tillkit/core/errors";
 *
 * const status = httpStatus("order.not-found", "standard");
 * ```
 */
export function httpStatus(name: FailureName, statusMode: "always-200" | "standard"): number {
  const { status, statusInEveryMode = false }: ErrorEntry = ERROR_CATALOG[name];
  return statusInEveryMode || statusMode === "standard" ? status : 200;
}
