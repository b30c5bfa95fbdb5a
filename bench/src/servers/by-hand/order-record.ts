const SELECT_ORDER = `select id, app_id, biz_no, amount_cents, goods_title, pay_channel, payment_status, paid_ms, created_ms, modified_ms,
  source_from, attach_data from orders_by_hand`;
const OF_CUSTOMER = "where app_id = $1 and customer_identity = $2";

/** Reads an order of an app by its number and customer. */
export const READ_ORDER = `${SELECT_ORDER} where app_id = $1 and biz_no = $2 and customer_identity = $3`;

/**
 * Returns the statement that reads a page of a customer's orders, of one status if it is given.
 *
 * Its values are app, customer, page size, offset and the status.
 */
export function readPage(status: string | undefined): string {
  return `${SELECT_ORDER} ${OF_CUSTOMER}${ofStatus(status, 5)} order by created_ms desc, id desc limit $3 offset $4`;
}

/**
 * Returns the statement that counts a customer's orders, of one status if it is given.
 *
 * Its values are app, customer and status.
 */
export function countOrders(status: string | undefined): string {
  return `select count(*) as total from orders_by_hand ${OF_CUSTOMER}${ofStatus(status, 3)}`;
}

function ofStatus(status: string | undefined, place: number): string {
  return status === undefined ? "" : ` and payment_status = $${place}`;
}

/** Converts a row to an order record. */
export function orderRecord(row: Readonly<Record<string, unknown>>) {
  const { attach_data: attachData, source_from: sourceFrom } = row;
  return {
    id: row["id"],
    appId: row["app_id"],
    bizNo: row["biz_no"],
    // pg returns a bigint as text.
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
