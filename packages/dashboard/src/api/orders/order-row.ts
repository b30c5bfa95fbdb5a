import type { Policy } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { pastedNumber } from "@tillkit/core/operators";
import type { FoundOrder, OrderFilter } from "@tillkit/core/ports";
import { okAsync, type ResultAsync } from "neverthrow";
import type * as z from "zod";
import { visibleApps } from "../visible-apps.js";
import type { RouteContext } from "../route-context.js";
import type { FilterInput, orderRowSchema } from "./list-schemas.js";

/** Returns the row of an order in a list. */
export function orderRow(
  { order, hasAlarm }: FoundOrder,
  { payChannelNames }: Pick<Policy, "payChannelNames">,
): z.output<typeof orderRowSchema> {
  const { appId, bizNo, id, amount, refundedAmount, goodsTitle, payChannel, paymentStatus } = order;
  return {
    appId,
    bizNo,
    id,
    amount,
    refundedAmount,
    goodsTitle,
    paymentStatus,
    payChannel: payChannelNames[payChannel],
    customerIdentity: order.customerIdentity,
    alarm: hasAlarm,
    gmtCreate: order.gmtCreate,
    ...(order.pmtDt === undefined ? {} : { pmtDt: order.pmtDt }),
  };
}

/**
 * Returns the filter, limited to the apps that the operator sees.
 *
 * If the customer has no orders, the text may have been pasted from a spreadsheet. The filter then
 * uses the identity in the text.
 */
export function orderFilterOf(
  context: RouteContext,
  input: FilterInput,
): ResultAsync<OrderFilter, StorageFailure> {
  const { appId, status, channel, customer, from, until, min, max, alarm, paidFrom, paidUntil } = input;
  const filter = {
    apps: visibleApps(context, appId),
    paymentStatus: status,
    payChannel: channel,
    customerIdentity: customer,
    from,
    until,
    minAmount: min,
    maxAmount: max,
    withAlarm: alarm === "true",
    paidFrom,
    paidUntil,
  };
  const pasted = customer === undefined ? "" : pastedNumber(customer);
  if (pasted === "" || pasted === customer) return okAsync(filter);
  return context.ports.orderSearch
    .list({ apps: filter.apps, customerIdentity: customer, limit: 1 })
    .map(({ items }) => (items.length > 0 ? filter : { ...filter, customerIdentity: pasted }));
}
