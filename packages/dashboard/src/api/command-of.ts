import type { OperatorCommand } from "@tillkit/core/operators";
import type { RouteContext } from "./route-context.js";

/** Returns the name of the sender, or the empty text without a session. */
export function operatorName({ identified }: Pick<RouteContext, "identified">): string {
  return identified?.operator.name ?? "";
}

/** Returns the operator, the reason and the origin of a change, for the audit log. */
export function commandOf(context: RouteContext, reason: string): OperatorCommand {
  return { operator: operatorName(context), reason, ...context.origin };
}
