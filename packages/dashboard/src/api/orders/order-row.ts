import type { FoundOrder, OrderFilter, Policy } from "@tillkit/core";
import type * as z from "zod";
import { visibleApps } from "../visible-apps.js";
import type { RouteContext } from "../route.js";
import type { FilterInput, orderRowSchema } from "./list-schemas.js";

/** Returns the row of an order in a list. */
export function orderRow(
  { order, hasAlarm }: FoundOrder,
  { payChannelNames }: Pick<Policy, "payChannelNames">,
): z.output<typeof orderRowSchema> {
  const { appId, bizNo, id, amount, refundedAmount, goodsTitle, payChannel, paymentStatus } = order;
  return {
    ...{ appId, bizNo, id, amount, refundedAmount, goodsTitle, paymentStatus },
    payChannel: payChannelNames[payChannel],
    ...{ customerIdentity: order.customerIdentity, alarm: hasAlarm, gmtCreate: order.gmtCreate },
    ...(order.pmtDt === undefined ? {} : { pmtDt: order.pmtDt }),
  };
}

/** Returns the filter, limited to the apps that the operator sees. */
export function filterOf(context: RouteContext, input: FilterInput): OrderFilter {
  const { appId, status, channel, customer, from, until, min, max, alarm, paidFrom, paidUntil } = input;
  return {
    apps: visibleApps(context, appId),
    ...{ paymentStatus: status, payChannel: channel, customerIdentity: customer },
    ...{ from, until, minAmount: min, maxAmount: max, withAlarm: alarm === "true" },
    ...{ paidFrom, paidUntil },
  };
}
