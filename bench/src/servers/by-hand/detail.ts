import express from "express";
import pg from "pg";
import { z } from "zod";
import { beServer } from "../../harness/be-server.js";
import { POOL_MAX, shopFacts } from "../../shop/shop-facts.js";
import { authenticate } from "./authenticate.js";
import { orderRecord, SELECT_ORDER } from "./order-record.js";

const query = z.object({ bizNo: z.string().min(1).max(64), customerIdentity: z.string().max(64) });

/** `/detail.json` as a team would write it: Express, one query, the record of the spec. */
beServer(async (given) => {
  const facts = shopFacts.parse(given);
  const pool = new pg.Pool({ connectionString: facts.databaseUrl, max: POOL_MAX });
  return express().get("/pay/detail.json", authenticate(facts), async (request, response) => {
    const parsed = query.safeParse(request.query);
    if (!parsed.success) {
      response.json({ code: 10003, msg: "A parameter is wrong" });
      return;
    }
    const { bizNo, customerIdentity } = parsed.data;
    const { rows } = await pool.query<Record<string, unknown>>({
      name: "detail",
      text: `${SELECT_ORDER} where app_id = $1 and biz_no = $2 and customer_identity = $3`,
      values: [facts.appId, bizNo, customerIdentity],
    });
    const [row] = rows;
    if (row === undefined) response.json({ code: 50001, msg: "Order not found" });
    else response.json({ code: 0, msg: "success", data: orderRecord(row) });
  });
});
