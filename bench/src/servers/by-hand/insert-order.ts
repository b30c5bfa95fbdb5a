import { randomUUID } from "node:crypto";
import type pg from "pg";
import { z } from "zod";

/** The schema of the body of `/order.json`. */
export const orderBody = z.object({
  amount: z.int().min(1).max(10_000_000_000),
  bizNo: z.string().regex(/^[\x21-\x7e]{1,64}$/),
  goodsTitle: z.string().min(1).max(127),
  payChannel: z.enum(["WALLET_A", "WALLET_B"]),
  paySource: z.literal("APP").default("APP"),
  customerIdentity: z.string().min(1).max(64),
  attachData: z.string().max(4_096).optional(),
  sourceFrom: z.string().max(16).optional(),
});

/** The body of `/order.json`. */
export type OrderBody = z.infer<typeof orderBody>;

/** A stored order. */
export interface InsertedOrder {
  readonly id: string;
  /** The prepayment id of the wallet. `null` until the wallet returned it. */
  readonly prepayId: string | null;
}

/**
 * Inserts the order, or returns the one with its number.
 *
 * Returns `"conflict"` if the number belongs to another order.
 */
export async function insertOrder(
  pool: pg.Pool,
  appId: string,
  order: OrderBody,
): Promise<InsertedOrder | "conflict"> {
  const {
    bizNo,
    customerIdentity,
    amount,
    goodsTitle,
    payChannel,
    sourceFrom = null,
    attachData = null,
  } = order;
  const id = randomUUID().replaceAll("-", "");
  const inserted = await pool.query({
    name: "insert order",
    text: `insert into orders_by_hand (app_id, biz_no, id, customer_identity, amount_cents, goods_title, pay_channel,
        payment_status, created_ms, modified_ms, source_from, attach_data)
      values ($1, $2, $3, $4, $5, $6, $7, 'PENDING', $8, $8, $9, $10)
      on conflict (app_id, biz_no) do nothing`,
    values: [
      appId,
      bizNo,
      id,
      customerIdentity,
      amount,
      goodsTitle,
      payChannel,
      Date.now(),
      sourceFrom,
      attachData,
    ],
  });
  if (inserted.rowCount === 1) return { id, prepayId: null };
  const { rows } = await pool.query<{ id: string; prepay_id: string | null; same: boolean }>({
    name: "held order",
    text: `select id, prepay_id, customer_identity = $3 and amount_cents = $4 and goods_title = $5 and pay_channel = $6 as same
      from orders_by_hand where app_id = $1 and biz_no = $2`,
    values: [appId, bizNo, customerIdentity, amount, goodsTitle, payChannel],
  });
  const [stored] = rows;
  return stored?.same === true ? { id: stored.id, prepayId: stored.prepay_id } : "conflict";
}
