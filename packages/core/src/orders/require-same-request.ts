import { ok, type Result } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { CreateOrderInput } from "./create-order-input.js";
import { differingOptions } from "./order-options.js";
import type { Order } from "./order.js";
import { payerIdOf } from "./payer-id.js";

const COMPARED = [
  "amount",
  "goodsTitle",
  "payChannel",
  "paySource",
  "serviceNo",
  "attachData",
  "sourceFrom",
] as const;

/**
 * Fails if the parameters of a repeated creation differ from those of the stored order.
 *
 * `customerName` may differ: it is a label, and some names are not stored.
 */
export function requireSameRequest(
  order: Order,
  input: CreateOrderInput,
): Result<void, FailureOf<"biz-no.conflict">> {
  const fields: string[] = COMPARED.filter((field) => order[field] !== input[field]);
  // A different `paySource` implies a different `payerId`, so only `paySource` is reported then.
  if (order.paySource === input.paySource && order.payerId !== payerIdOf(input)) fields.push("payerId");
  if (order.customerIdentity !== (input.customerIdentity ?? "")) fields.push("customerIdentity");
  if (order.service?.serviceTypeNo !== input.serviceTypeNo) fields.push("serviceTypeNo");
  // Compares only the options that the callers sent: the defaults of the pay tool may have changed.
  const options = differingOptions(order.walletOptions?.given, input.walletOptions);
  fields.push(...options.map((name) => `walletOptions.${name}`));
  return fields.length > 0 ? fail("biz-no.conflict", { fields }) : ok(undefined);
}
