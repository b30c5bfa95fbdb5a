import { type Order, type OrderKey, PAY_CHANNELS, PAY_SOURCES, PAYMENT_STATUSES } from "@tillkit/core";
import { type OnUnreadable, type RowReader, rowReader } from "./row-reader.js";
import { integer, enumValue, optionalInteger, optionalText, text } from "./row.js";
import type { SqlRow, SqlValue } from "./sql-client.js";
import { parseStringRecord } from "./parse-string-record.js";

/** The columns of an order with their values. The key columns come first, as `$1` and `$2`. */
const VALUES: Readonly<Record<string, (order: Order) => SqlValue | undefined>> = {
  biz_no: (order) => order.bizNo,
  app_id: (order) => order.appId,
  id: (order) => order.id,
  customer_identity: (order) => order.customerIdentity,
  customer_name: (order) => order.customerName,
  amount_cents: (order) => order.amount,
  goods_title: (order) => order.goodsTitle,
  pay_channel: (order) => order.payChannel,
  pay_source: (order) => order.paySource,
  payer_id: (order) => order.payerId,
  payment_status: (order) => order.paymentStatus,
  service_no: (order) => order.serviceNo,
  service_type_no: (order) => order.service?.serviceTypeNo,
  service_name: (order) => order.service?.serviceName,
  service_duration_ms: (order) => order.service?.durationMs,
  attach_data: (order) => order.attachData,
  source_from: (order) => order.sourceFrom,
  pay_tool_id: (order) => order.payToolId,
  notify_url: (order) => order.notifyUrl,
  return_url: (order) => order.returnUrl,
  expires_ms: (order) => order.expiresAt,
  prepayment_issued_ms: (order) => order.prepayment?.issuedAt,
  prepayment_valid_until_ms: (order) => order.prepayment?.validUntil,
  prepayment_values: ({ prepayment }) => prepayment && JSON.stringify(prepayment.values),
  claim_id: (order) => order.prepaymentClaim?.id,
  claim_until_ms: (order) => order.prepaymentClaim?.until,
  paid_ms: (order) => order.pmtDt,
  wallet_trade_no: (order) => order.walletTradeNo,
  refunded_cents: (order) => order.refundedAmount,
  next_query_ms: (order) => order.nextQueryAt,
  queried_ms: (order) => order.queriedAt,
  created_ms: (order) => order.gmtCreate,
  modified_ms: (order) => order.gmtModified,
};

/** The columns of an order. */
export const ORDER_COLUMNS: readonly string[] = Object.keys(VALUES);

/** The SQL types of {@link ORDER_COLUMNS}: bigint for times and amounts, text for all others. */
export const ORDER_TYPES: Readonly<Record<string, "text" | "bigint">> = Object.fromEntries(
  ORDER_COLUMNS.map((column) => [column, /_(?:ms|cents)$/.test(column) ? "bigint" : "text"]),
);

/** Returns the select list of an order, qualified with `from` if it is given. */
export function orderColumns(from?: string): string {
  return ORDER_COLUMNS.map((column) => (from === undefined ? column : `${from}.${column}`)).join(", ");
}

/** Returns the values of {@link ORDER_COLUMNS}, by column name. */
export function orderValues(order: Order): Readonly<Record<string, SqlValue>> {
  return Object.fromEntries(
    Object.entries(VALUES).map(([column, valueOf]) => [column, valueOf(order) ?? null]),
  );
}

/** Returns the values of the key columns, in their order. */
export function orderKeyValues({ bizNo, appId }: OrderKey): readonly SqlValue[] {
  return [bizNo, appId];
}

/** Returns the key of an order as one text. */
export function orderKeyText(key: OrderKey): string {
  return JSON.stringify(orderKeyValues(key));
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
  return {
    bizNo: text(row, "biz_no"),
    appId: text(row, "app_id"),
    id: text(row, "id"),
    customerIdentity: text(row, "customer_identity"),
    ...optionalMember("customerName", optionalText(row, "customer_name")),
    amount: integer(row, "amount_cents"),
    goodsTitle: text(row, "goods_title"),
    payChannel: enumValue(row, "pay_channel", PAY_CHANNELS),
    paySource: enumValue(row, "pay_source", PAY_SOURCES),
    ...optionalMember("payerId", optionalText(row, "payer_id")),
    paymentStatus: enumValue(row, "payment_status", PAYMENT_STATUSES),
    ...optionalMember("serviceNo", optionalText(row, "service_no")),
    ...optionalMember("service", serviceOf(row)),
    ...optionalMember("attachData", optionalText(row, "attach_data")),
    ...optionalMember("sourceFrom", optionalText(row, "source_from")),
    payToolId: text(row, "pay_tool_id"),
    notifyUrl: text(row, "notify_url"),
    returnUrl: text(row, "return_url"),
    expiresAt: integer(row, "expires_ms"),
    ...optionalMember("prepayment", prepaymentOf(row)),
    ...optionalMember("prepaymentClaim", claimOf(row)),
    ...optionalMember("pmtDt", optionalInteger(row, "paid_ms")),
    ...optionalMember("walletTradeNo", optionalText(row, "wallet_trade_no")),
    refundedAmount: integer(row, "refunded_cents"),
    ...optionalMember("nextQueryAt", optionalInteger(row, "next_query_ms")),
    ...optionalMember("queriedAt", optionalInteger(row, "queried_ms")),
    gmtCreate: integer(row, "created_ms"),
    gmtModified: integer(row, "modified_ms"),
  };
}

/** Returns `{ [name]: value }`, or `{}` if `value` is `undefined`. */
export function optionalMember<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  const member: Partial<Record<K, V>> = {};
  if (value !== undefined) member[name] = value;
  return member;
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
