import { ERROR_CATALOG, type ErrorEntry, type FailureName } from "./catalog.js";

/** The HTTP status of an answer with this failure: 200 by default, or that of the catalogue. */
export function httpStatus(name: FailureName, statusMode: "always-200" | "standard"): number {
  const { status, statusInEveryMode = false }: ErrorEntry = ERROR_CATALOG[name];
  return statusInEveryMode || statusMode === "standard" ? status : 200;
}
