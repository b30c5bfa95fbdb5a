/** Reads orders of the table written by hand. */
export const SELECT_ORDER = `select id, app_id, biz_no, amount_cents, goods_title, pay_channel, payment_status, paid_ms, created_ms, modified_ms,
  source_from, attach_data from orders_by_hand`;

/** The order record of the spec out of a row of `SELECT_ORDER`. */
export function orderRecord(row: Readonly<Record<string, unknown>>) {
  const { attach_data: attachData, source_from: sourceFrom } = row;
  return {
    id: row["id"],
    appId: row["app_id"],
    bizNo: row["biz_no"],
    // pg gives a bigint as text.
    amount: Number(row["amount_cents"]),
    goodsTitle: row["goods_title"],
    payChannel: row["pay_channel"],
    paymentStatus: row["payment_status"],
    pmtDt: Number(row["paid_ms"]),
    gmtCreate: Number(row["created_ms"]),
    gmtModified: Number(row["modified_ms"]),
    ...(sourceFrom === null ? {} : { sourceFrom }),
    extInfo: {},
    ...(typeof attachData === "string" ? { attachData: structured(attachData) } : {}),
  };
}

function structured(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : text;
  } catch {
    return text;
  }
}
