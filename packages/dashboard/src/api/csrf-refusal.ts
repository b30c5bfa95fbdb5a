import type { HttpRequest } from "@tillkit/core/http";
import type { Identified } from "../access/access.js";
import type { ApiFailure } from "./api-failure.js";

/**
 * Returns `csrf.invalid` unless a change has the token of the session in the header `x-csrf-token`.
 *
 * A browser sends the cookie of the session with requests of other sites, too, but not the header.
 */
export function csrfRefusal(
  { headers }: Pick<HttpRequest, "headers">,
  { hasToken }: Pick<Identified, "hasToken">,
): ApiFailure | undefined {
  return hasToken(headers.get("x-csrf-token") ?? "") ? undefined : { name: "csrf.invalid" };
}
