import { type Refund, REFUND_STATUSES } from "@tillkit/core";
import { enumValue, integer, optionalInteger, optionalMember, optionalText, text } from "../sql/row.js";
import { type OnUnreadable, type RowReader, rowReader } from "../sql/row-reader.js";
import type { SqlRow, SqlValue } from "../sql/sql-client.js";

/** The columns of a refund with their values. */
const VALUES: Readonly<Record<string, (refund: Refund) => SqlValue | undefined>> = {
  biz_no: (refund) => refund.bizNo,
  app_id: (refund) => refund.appId,
  refund_no: (refund) => refund.refundNo,
  amount_cents: (refund) => refund.amount,
  reason: (refund) => refund.reason,
  operator: (refund) => refund.operator,
  status: (refund) => refund.status,
  wallet_refund_no: (refund) => refund.walletRefundNo,
  next_try_ms: (refund) => refund.nextTryAt,
  sending_until_ms: (refund) => refund.sendingUntil,
  created_ms: (refund) => refund.gmtCreate,
  modified_ms: (refund) => refund.gmtModified,
};

/** The columns of a refund. */
export const REFUND_COLUMNS: readonly string[] = Object.keys(VALUES);

/**
 * Returns the select list of the refund in `from`, with each column renamed to `r_…`.
 *
 * The prefix separates the columns from those of an order in the same row.
 */
export function refundColumns(from: string): string {
  return REFUND_COLUMNS.map((column) => `${from}.${column} as r_${column}`).join(", ");
}

/** Returns the values of {@link REFUND_COLUMNS}, in their order. */
export function refundValues(refund: Refund): readonly SqlValue[] {
  return Object.values(VALUES).map((valueOf) => valueOf(refund) ?? null);
}

/** Creates a reader of rows with {@link refundColumns}. */
export function refundReader(onUnreadable?: OnUnreadable): RowReader<Refund> {
  return rowReader("refunds", ["r_app_id", "r_biz_no", "r_refund_no"], readRefund, onUnreadable);
}

/** Reads the refund from a row with {@link refundColumns}. */
export function toRefund(row: SqlRow): Refund {
  return READER.one(row);
}

const READER = refundReader();

function readRefund(row: SqlRow): Refund {
  return {
    bizNo: text(row, "r_biz_no"),
    appId: text(row, "r_app_id"),
    refundNo: text(row, "r_refund_no"),
    amount: integer(row, "r_amount_cents"),
    reason: text(row, "r_reason"),
    operator: text(row, "r_operator"),
    status: enumValue(row, "r_status", REFUND_STATUSES),
    ...optionalMember("walletRefundNo", optionalText(row, "r_wallet_refund_no")),
    ...optionalMember("nextTryAt", optionalInteger(row, "r_next_try_ms")),
    ...optionalMember("sendingUntil", optionalInteger(row, "r_sending_until_ms")),
    gmtCreate: integer(row, "r_created_ms"),
    gmtModified: integer(row, "r_modified_ms"),
  };
}
