import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import { guarded } from "../shared/guarded.js";
import { complain, customerIdentity, perPolicy, wellFormed } from "../shared/input.js";
import type { Page } from "../shared/page.js";
import { type Order, PAYMENT_STATUSES } from "./order.js";

/** The query of GET /history.json. Any `paymentStatus` is a filter; one that no order can have matches none. */
export const listOrdersInput = perPolicy((policy) =>
  z.object({
    customerIdentity: customerIdentity(policy),
    paymentStatus: wellFormed()
      .transform((text) => (text === "" ? undefined : text))
      .optional(),
    ...pageInput(policy),
  }),
);
/** A valid question for a page: what `parseInput(listOrdersInput(policy), …)` returns. */
export type ListOrdersInput = z.output<ReturnType<typeof listOrdersInput>>;

/** The parameters that choose a page of a list. */
export function pageInput(policy: Policy) {
  return {
    pageNum: positiveInteger().default(1),
    pageSize: positiveInteger(policy.maxPageSize).default(policy.defaultPageSize),
  };
}

// A query parameter is text; an embedder passes a number.
function positiveInteger(maximum: number = Number.MAX_SAFE_INTEGER) {
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,9}$/)
          .transform(Number),
      ],
      complain("page.invalid"),
    )
    .refine(
      (value) => Number.isSafeInteger(value) && value >= 1 && value <= maximum,
      complain("page.invalid"),
    )
    .meta({ type: "integer", minimum: 1, maximum });
}

/** The customer's orders, newest first, and how many there are in all. Source: payments spec, GET /history.json. */
export function listOrders(
  ports: Pick<Ports, "orders">,
  appId: string,
  input: ListOrdersInput,
): ResultAsync<Page<Order>, StorageFailure> {
  return guarded(async () => {
    const { customerIdentity, pageNum, pageSize } = input;
    const paymentStatus = PAYMENT_STATUSES.find((status) => status === input.paymentStatus);
    if (input.paymentStatus !== undefined && paymentStatus === undefined)
      return ok({ items: [], totalCount: 0 });
    return ports.orders.list({
      appId,
      customerIdentity,
      ...(paymentStatus === undefined ? {} : { paymentStatus }),
      offset: (pageNum - 1) * pageSize,
      limit: pageSize,
    });
  });
}
