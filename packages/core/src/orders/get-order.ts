import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { fail, type FailureOf } from "../errors/failure.js";
import { hasControlCharacter } from "../shared/text.js";
import { attempt } from "../shared/attempt.js";
import { complain, perPolicy, textLimit, wellFormed } from "../shared/input.js";
import { bizNo, type Order } from "./order.js";
import { refreshOrder, type RefreshPorts } from "./refresh-order.js";
import { keyOf } from "./transition-order.js";

/** The query of GET /detail.json. `customerIdentity` may be empty: orders of an app without accounts are read so. */
export const getOrderInput = perPolicy((policy) =>
  z.object({
    bizNo: bizNo(policy.maxBizNoLength),
    customerIdentity: wellFormed()
      .refine((text) => [...text].length <= policy.maxCustomerIdentityLength, complain("length"))
      .refine((text) => !hasControlCharacter(text), complain("control-characters"))
      .meta(textLimit(policy.maxCustomerIdentityLength)),
  }),
);
/** A valid question for one order: what `parseInput(getOrderInput(policy), …)` returns. */
export type GetOrderInput = z.output<ReturnType<typeof getOrderInput>>;

/**
 * The order with this `bizNo` and this `customerIdentity`; an unknown number and another customer's are the same answer. A PENDING order may be asked about
 * at its wallet first, at most once per `policy.refreshInterval` and for no longer than `policy.refreshDeadline`; whatever goes wrong there,
 * the record is the answer. Only PAID is proof of payment. Source: payments spec, GET /detail.json; BEHAVIOUR, "Orders".
 */
export function getOrder(
  ports: RefreshPorts,
  appId: string,
  input: GetOrderInput,
): ResultAsync<Order, FailureOf<"order.not-found" | "storage.unavailable">> {
  return attempt(async () => {
    const found = await ports.orders.find({ appId, bizNo: input.bizNo });
    if (found.isErr()) return found;
    const order = found.value;
    if (order?.customerIdentity !== input.customerIdentity) return fail("order.not-found");
    if (order.paymentStatus !== "PENDING") return ok(order);
    const now = ports.clock.now();
    const { refreshInterval, refreshDeadline } = ports.policy;
    if (order.queriedAt !== undefined && now < order.queriedAt + refreshInterval) return ok(order);
    const refreshed = attempt(async () => {
      const claimed = await ports.orders.claimQuery(keyOf(order), now, refreshInterval);
      if (claimed.isErr()) return claimed;
      return claimed.value ? refreshOrder(ports, order, refreshDeadline) : ok(order);
    });
    return ok(await refreshed.unwrapOr(order));
  });
}
