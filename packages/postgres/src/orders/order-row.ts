import { type Order, PAY_CHANNELS, PAY_SOURCES, PAYMENT_STATUSES, type TimelineEntry } from "@tillkit/core";
import { appendedText } from "../timeline/appended-text.js";
import { type OnUnreadable, type RowReader, rowReader } from "../sql/row-reader.js";
import {
  enumValue,
  integer,
  optionalInteger,
  optionalText,
  parseStringRecord,
  text,
  withDefined,
} from "../sql/row.js";
import type { SqlRow, SqlValue } from "../sql/sql-client.js";
import { type OrderUrls, storedUrls, urlsFrom } from "./order-urls.js";
import { optionsText, orderOptionsOf } from "../pay-tools/wallet-options-row.js";

/** The columns of an order, with their SQL types. The key columns come first. */
export const ORDER_TYPES = {
  biz_no: "text",
  app_id: "text",
  id: "text",
  customer_identity: "text",
  customer_name: "text",
  amount_cents: "bigint",
  goods_title: "text",
  pay_channel: "text",
  pay_source: "text",
  payer_id: "text",
  payment_status: "text",
  service_no: "text",
  service_type_no: "text",
  service_name: "text",
  service_duration_ms: "bigint",
  attach_data: "text",
  source_from: "text",
  wallet_options: "text",
  pay_tool_id: "text",
  notifications_url: "text",
  notify_url: "text",
  return_url: "text",
  expires_ms: "bigint",
  prepayment_issued_ms: "bigint",
  prepayment_valid_until_ms: "bigint",
  prepayment_values: "text",
  claim_id: "text",
  claim_until_ms: "bigint",
  paid_ms: "bigint",
  wallet_trade_no: "text",
  refunded_cents: "bigint",
  next_query_ms: "bigint",
  queried_ms: "bigint",
  created_ms: "bigint",
  modified_ms: "bigint",
} as const;

type OrderColumn = keyof typeof ORDER_TYPES;

/** The columns of an order. The values of the key columns are `$1` and `$2`. */
export const ORDER_COLUMNS: readonly string[] = Object.keys(ORDER_TYPES);

/** Returns the select list of an order, qualified with `from` if it is given. */
export function orderColumns(from?: string): string {
  return ORDER_COLUMNS.map((column) => (from === undefined ? column : `${from}.${column}`)).join(", ");
}

/**
 * Returns the values of an order by column name, and the text of its first event as `entry`.
 *
 * A null column is `undefined`. The text is a member of the same object literal, because a copy of
 * so many members takes a microsecond.
 */
export function orderValues(
  order: Order,
  entry?: TimelineEntry,
): Readonly<Record<OrderColumn | "entry", SqlValue | undefined>> {
  const { service, prepayment, prepaymentClaim } = order;
  const urls = optionalUrls(order);
  return {
    biz_no: order.bizNo,
    app_id: order.appId,
    id: order.id,
    customer_identity: order.customerIdentity,
    customer_name: order.customerName,
    amount_cents: order.amount,
    goods_title: order.goodsTitle,
    pay_channel: order.payChannel,
    pay_source: order.paySource,
    payer_id: order.payerId,
    payment_status: order.paymentStatus,
    service_no: order.serviceNo,
    service_type_no: service?.serviceTypeNo,
    service_name: service?.serviceName,
    service_duration_ms: service?.durationMs,
    attach_data: order.attachData,
    source_from: order.sourceFrom,
    wallet_options: optionsText(order.walletOptions),
    pay_tool_id: order.payToolId,
    notifications_url: urls.base,
    notify_url: urls.notifyUrl,
    return_url: urls.returnUrl,
    expires_ms: order.expiresAt,
    prepayment_issued_ms: prepayment?.issuedAt,
    prepayment_valid_until_ms: prepayment?.validUntil,
    prepayment_values: prepayment && JSON.stringify(prepayment.values),
    claim_id: prepaymentClaim?.id,
    claim_until_ms: prepaymentClaim?.until,
    paid_ms: order.pmtDt,
    wallet_trade_no: order.walletTradeNo,
    refunded_cents: order.refundedAmount,
    next_query_ms: order.nextQueryAt,
    queried_ms: order.queriedAt,
    created_ms: order.gmtCreate,
    modified_ms: order.gmtModified,
    entry: entry && appendedText(entry),
  };
}

/** Creates a reader of rows with {@link ORDER_COLUMNS}. */
export function orderReader(onUnreadable?: OnUnreadable): RowReader<Order> {
  return rowReader("orders", ["app_id", "biz_no"], readOrder, onUnreadable);
}

/** Reads the order from a row with {@link ORDER_COLUMNS}. */
export function toOrder(row: SqlRow): Order {
  return READER.one(row);
}

const READER = orderReader();

/** A null column becomes an absent member. */
function readOrder(row: SqlRow): Order {
  return withDefined(
    {
      bizNo: text(row, "biz_no"),
      appId: text(row, "app_id"),
      id: text(row, "id"),
      customerIdentity: text(row, "customer_identity"),
      amount: integer(row, "amount_cents"),
      goodsTitle: text(row, "goods_title"),
      payChannel: enumValue(row, "pay_channel", PAY_CHANNELS),
      paySource: enumValue(row, "pay_source", PAY_SOURCES),
      paymentStatus: enumValue(row, "payment_status", PAYMENT_STATUSES),
      payToolId: text(row, "pay_tool_id"),
      ...urlsOf(row),
      expiresAt: integer(row, "expires_ms"),
      refundedAmount: integer(row, "refunded_cents"),
      gmtCreate: integer(row, "created_ms"),
      gmtModified: integer(row, "modified_ms"),
    },
    {
      customerName: optionalText(row, "customer_name"),
      payerId: optionalText(row, "payer_id"),
      serviceNo: optionalText(row, "service_no"),
      service: serviceOf(row),
      attachData: optionalText(row, "attach_data"),
      sourceFrom: optionalText(row, "source_from"),
      walletOptions: orderOptionsOf(row),
      prepayment: prepaymentOf(row),
      prepaymentClaim: claimOf(row),
      pmtDt: optionalInteger(row, "paid_ms"),
      walletTradeNo: optionalText(row, "wallet_trade_no"),
      nextQueryAt: optionalInteger(row, "next_query_ms"),
      queriedAt: optionalInteger(row, "queried_ms"),
    },
  );
}

function serviceOf(row: SqlRow): Order["service"] {
  const serviceTypeNo = optionalText(row, "service_type_no");
  if (serviceTypeNo === undefined) return undefined;
  return {
    serviceTypeNo,
    serviceName: text(row, "service_name"),
    durationMs: integer(row, "service_duration_ms"),
  };
}

function optionalUrls(order: Order): Partial<OrderUrls & { readonly base: string }> {
  return storedUrls(order);
}

function urlsOf(row: SqlRow): OrderUrls {
  const base = optionalText(row, "notifications_url");
  if (base === undefined) return { notifyUrl: text(row, "notify_url"), returnUrl: text(row, "return_url") };
  const payChannel = enumValue(row, "pay_channel", PAY_CHANNELS);
  return urlsFrom(base, { payChannel, payToolId: text(row, "pay_tool_id"), bizNo: text(row, "biz_no") });
}

function prepaymentOf(row: SqlRow): Order["prepayment"] {
  const values = optionalText(row, "prepayment_values");
  if (values === undefined) return undefined;
  return {
    issuedAt: integer(row, "prepayment_issued_ms"),
    validUntil: integer(row, "prepayment_valid_until_ms"),
    values: parseStringRecord(values),
  };
}

function claimOf(row: SqlRow): Order["prepaymentClaim"] {
  const id = optionalText(row, "claim_id");
  return id === undefined ? undefined : { id, until: integer(row, "claim_until_ms") };
}
