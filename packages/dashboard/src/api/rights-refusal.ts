import { isPermitted } from "@tillkit/core/operators";
import type { Identified } from "../access/access.js";
import type { ApiFailure } from "./api-failure.js";
import type { Allowed } from "./route.js";

/** Returns why the sender is not allowed to use a route for `allowed`, or `undefined`. */
export function rightsRefusal(
  allowed: Exclude<Allowed, "anyone">,
  { operator, session }: Identified,
): ApiFailure | undefined {
  if (allowed === "session") return undefined;
  if (session?.session.complete === false) return { name: "session.incomplete" };
  if (session?.account.mustChangePassword === true) return { name: "password.must-change" };
  return isPermitted(operator, allowed) ? undefined : { name: "permission.denied" };
}
