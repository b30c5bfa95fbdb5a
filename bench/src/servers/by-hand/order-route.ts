import express, { type Express } from "express";
import type pg from "pg";
import type { ShopFacts } from "../../shop/shop-facts.js";
import { answering } from "./answering.js";
import { type InsertedOrder, insertOrder, type OrderBody, orderBody } from "./insert-order.js";

/** Creates the route `/order.json`, which inserts the row and then calls `pay` for the payload. */
export function orderRoute(
  facts: ShopFacts,
  pool: pg.Pool,
  pay: (order: InsertedOrder, body: OrderBody) => Promise<object>,
): Express {
  const app = express().use(express.json({ limit: "64kb" }));
  return app.post(
    "/pay/order.json",
    ...answering(facts, orderBody, async (body) => {
      const order = await insertOrder(pool, facts.appId, body);
      if (order === "conflict") return { code: 50002, msg: "bizNo was used with other parameters" };
      const message = body.payChannel === "WALLET_B" ? { message: "success" } : {};
      return { code: 0, msg: "success", ...message, data: await pay(order, body), traceId: order.id };
    }),
  );
}
