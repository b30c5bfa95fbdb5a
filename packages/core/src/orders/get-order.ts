import { errAsync, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { App } from "../apps/app.js";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import { LONGEST_KEY } from "../shared/limits.js";
import { hasControlCharacter } from "../shared/text.js";
import { attempt } from "../shared/attempt.js";
import { isAtMost, issue, perPolicy, textLimit, wellFormedText } from "../shared/input.js";
import { storedBizNo } from "./biz-no.js";
import type { Order } from "./order.js";
import { refreshIfDue, type RefreshPorts } from "./refresh-order.js";

/**
 * Selects one order.
 *
 * `customerIdentity` may be empty, for orders of an app without accounts.
 */
export const getOrderInput = perPolicy(() =>
  z.object({
    bizNo: storedBizNo(),
    customerIdentity: wellFormedText()
      .refine((text) => isAtMost(text, LONGEST_KEY), issue("length"))
      .refine((text) => !hasControlCharacter(text), issue("control-characters"))
      .meta(textLimit(LONGEST_KEY)),
  }),
);
/** A valid query: the result of `parseInput(getOrderInput(policy), …)`. */
export type GetOrderInput = z.output<ReturnType<typeof getOrderInput>>;

/** Query of `GET /detail.json`: like {@link getOrderInput}, with an optional `customerIdentity`. */
export const getOrderQuery = perPolicy((policy) => {
  const selection = getOrderInput(policy);
  const customerIdentity = selection.shape.customerIdentity
    .optional()
    .meta({ description: "An app without accounts may leave it out, which equals an empty one." });
  return selection.extend({ customerIdentity });
});

/**
 * Returns the order with this `bizNo` and `customerIdentity`.
 *
 * If the order is PENDING, the call may query the wallet first: at most once per
 * `policy.refreshInterval`, for at most `policy.refreshDeadline`. If the query fails, the call
 * returns the stored order. Only PAID proves a payment.
 *
 * @returns the order. Fails with `order.not-found` if the `bizNo` is unknown, and also if the order
 *   belongs to another customer.
 * @example
 * ```ts
 * import { getOrder, getOrderInput, parseInput } from "@tillkit/core";
 *
 * const query = { bizNo: "order-1001", customerIdentity: "customer-7" };
 * const order = await parseInput(getOrderInput(ports.policy), query).asyncAndThen((input) =>
 *   getOrder(ports, "app_1", input),
 * );
 * const isPaid = order.isOk() && order.value.paymentStatus === "PAID";
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/order-status.md |
 *   The wallet decides whether an order is paid or closed}
 */
export function getOrder(
  ports: RefreshPorts,
  appId: string,
  input: GetOrderInput,
): ResultAsync<Order, FailureOf<"order.not-found" | StorageFailureName>> {
  return attempt(async () => {
    const { bizNo, customerIdentity } = input;
    const lookup = await ports.orders.findOwn({ appId, bizNo }, customerIdentity);
    if (lookup.isErr()) return lookup;
    const order = lookup.value;
    if (order === undefined) return fail("order.not-found");
    return ok(await refreshIfDue(ports, order).unwrapOr(order));
  });
}

/**
 * Like {@link getOrder}, for an authenticated app. An app without accounts may omit the identity.
 *
 * @returns the order. Fails like {@link getOrder}, and with `parameter.missing` if an app with
 *   accounts sends no `customerIdentity`.
 */
export function getOrderForApp(
  ports: RefreshPorts,
  { appId, accountBased }: App,
  { bizNo: wanted, customerIdentity }: z.output<ReturnType<typeof getOrderQuery>>,
): ResultAsync<Order, FailureOf<"order.not-found" | "parameter.missing" | StorageFailureName>> {
  if (customerIdentity === undefined && accountBased)
    return errAsync({ name: "parameter.missing", parameter: "customerIdentity" } as const);
  return getOrder(ports, appId, { bizNo: wanted, customerIdentity: customerIdentity ?? "" });
}
