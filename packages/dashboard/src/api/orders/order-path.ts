import type { OrderKey } from "@tillkit/core";
import { type Failure, fail } from "@tillkit/core/errors";
import { LONGEST_KEY } from "@tillkit/core/operators";
import { ok, type Result } from "neverthrow";
import type { RouteContext } from "../route-context.js";
import { singleLineText } from "../single-line-text.js";
import { sees } from "../visible-apps.js";

/** The parameters of a path that names an order. */
export const orderKeyInput = { appId: singleLineText(64), bizNo: singleLineText(LONGEST_KEY) };

/** Returns the order as the subject of an audit entry. */
export function orderSubject({ appId = "", bizNo = "" }: Readonly<Record<string, string>>): string {
  return `order:${appId}/${bizNo}`;
}

/** Fails with `order.not-found` if the operator does not see the order's app. */
export function requireOrderApp(
  context: RouteContext,
  { appId }: Pick<OrderKey, "appId">,
): Result<void, Failure> {
  return sees(context, appId) ? ok(undefined) : fail("order.not-found");
}
