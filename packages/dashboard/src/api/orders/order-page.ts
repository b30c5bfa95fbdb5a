import {
  explainOrder,
  type Order,
  type OrderExplanation,
  type Policy,
  type TimelineEvent,
} from "@tillkit/core";
import type { FailureOf, StorageFailureName } from "@tillkit/core/errors";
import {
  alarmRemedies,
  damageSentence,
  type OfferedRemedy,
  readEvent,
  refundRemedies,
  remainingForOperator,
  shipmentOf,
} from "@tillkit/core/operators";
import { openAlarms } from "@tillkit/core/ports";
import type { ResultAsync } from "neverthrow";
import type * as z from "zod";
import { approvalRowOf } from "../refunds/rows.js";
import type { RouteContext } from "../route-context.js";
import type { orderPageSchema } from "./schemas.js";

type OrderPage = z.output<typeof orderPageSchema>;

/** Returns everything that the page of an order shows. */
function orderPage(
  context: Pick<RouteContext, "ports" | "language" | "identified">,
  { appId, bizNo }: Pick<Order, "appId" | "bizNo">,
): ResultAsync<OrderPage, FailureOf<"order.not-found" | StorageFailureName>> {
  const { ports, language } = context;
  return explainOrder(ports, appId, bizNo, language).andThen((explanation) => {
    const { order, refunds, differences, approvals } = explanation;
    const damage = damageSentence(differences, language);
    return remainingForOperator(ports, order, refunds).map((remaining) => ({
      ...pageOf(explanation, ports.policy),
      remaining,
      approvals: approvals.map((approval) => approvalRowOf(context, approval)),
      ...(damage === undefined ? {} : { damage }),
    }));
  });
}

/** Answers with the page of the order. */
export async function answerOrderPage(
  context: Pick<RouteContext, "ports" | "language" | "identified">,
  key: Pick<Order, "appId" | "bizNo">,
) {
  return (await orderPage(context, key)).map((value) => ({ value }));
}

function pageOf(
  { order, timeline, chainHolds, refunds, parts }: OrderExplanation,
  policy: Policy,
): Omit<OrderPage, "approvals" | "damage" | "remaining"> {
  const alarms = new Set(openAlarms(timeline).map(({ seq }) => seq));
  const shipment = shipmentOf(order, timeline);
  // The alarm stays open after the report has reached the wallet. The report is then no remedy.
  const isUseful = ({ remedy }: OfferedRemedy) => remedy !== "report" || shipment?.state !== "reported";
  return {
    order: orderFactsOf(order, policy),
    proof: parts.proof,
    timeline: timeline.map((event, nth) => ({
      ...timelineRowOf(event, parts.events[nth] ?? ""),
      remedies: alarms.has(event.seq) ? alarmRemedies(event.type).filter(isUseful) : [],
    })),
    ...(shipment === undefined ? {} : { shipment }),
    openAlarms: alarms.size,
    chainHolds,
    refunds: refunds.map(({ appId: _app, bizNo: _bizNo, ...refund }, nth) => ({
      ...refund,
      sentence: parts.refunds[nth] ?? "",
      remedies: refundRemedies(refund),
    })),
    summary: parts.order,
    state: parts.state,
    integrity: parts.integrity,
    next: parts.next,
  };
}

function timelineRowOf(event: TimelineEvent, sentence: string) {
  const { hash: _hash, previousHash: _previous, details: _details, ...withSeal } = event;
  const { reasonSalt: _salt, reasonDigest: _digest, ...facts } = withSeal;
  const { reason, refundNo } = readEvent(event);
  return { ...facts, sentence, reason, ...(refundNo === undefined ? {} : { refundNo }) };
}

/** Lists the members explicitly, so that neither the payer's id nor the prepayment is sent. */
function orderFactsOf(order: Order, { payChannelNames }: Policy): OrderPage["order"] {
  const { customerName, attachData, sourceFrom, walletOptions, service, walletTradeNo, pmtDt } = order;
  return {
    appId: order.appId,
    bizNo: order.bizNo,
    id: order.id,
    amount: order.amount,
    refundedAmount: order.refundedAmount,
    goodsTitle: order.goodsTitle,
    payChannel: payChannelNames[order.payChannel],
    paySource: order.paySource,
    paymentStatus: order.paymentStatus,
    customerIdentity: order.customerIdentity,
    ...(customerName === undefined ? {} : { customerName }),
    ...(attachData === undefined ? {} : { attachData }),
    ...(sourceFrom === undefined ? {} : { sourceFrom }),
    ...(walletOptions === undefined ? {} : { walletOptions: { ...walletOptions.sent } }),
    ...(service === undefined ? {} : { service }),
    ...(walletTradeNo === undefined ? {} : { walletTradeNo }),
    ...(pmtDt === undefined ? {} : { pmtDt }),
    payToolId: order.payToolId,
    expiresAt: order.expiresAt,
    gmtCreate: order.gmtCreate,
    gmtModified: order.gmtModified,
  };
}
