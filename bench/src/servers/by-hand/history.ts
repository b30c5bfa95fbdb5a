import express from "express";
import pg from "pg";
import { z } from "zod";
import { beServer } from "../../harness/be-server.js";
import { POOL_MAX, shopFacts } from "../../shop/shop-facts.js";
import { authenticate } from "./authenticate.js";
import { orderRecord, SELECT_ORDER } from "./order-record.js";

const query = z.object({
  customerIdentity: z.string().min(1).max(64),
  paymentStatus: z.string().max(32).optional(),
  pageNum: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(20),
});

/** `/history.json` as a team would write it: the page and the count, asked for at once. */
beServer(async (given) => {
  const facts = shopFacts.parse(given);
  const pool = new pg.Pool({ connectionString: facts.databaseUrl, max: POOL_MAX });
  return express().get("/pay/history.json", authenticate(facts), async (request, response) => {
    const parsed = query.safeParse(request.query);
    if (!parsed.success) {
      response.json({ code: 10003, msg: "A parameter is wrong" });
      return;
    }
    const { customerIdentity, paymentStatus, pageNum, pageSize } = parsed.data;
    const status = paymentStatus === undefined ? "" : " and payment_status = $3";
    const values = [facts.appId, customerIdentity, ...(paymentStatus === undefined ? [] : [paymentStatus])];
    const where = `where app_id = $1 and customer_identity = $2${status}`;
    const [page, count] = await Promise.all([
      pool.query<Record<string, unknown>>({
        name: `page${status}`,
        text: `${SELECT_ORDER} ${where} order by created_ms desc, id desc
          limit $${values.length + 1} offset $${values.length + 2}`,
        values: [...values, pageSize, (pageNum - 1) * pageSize],
      }),
      pool.query<{ total: string }>({
        name: `count${status}`,
        text: `select count(*) as total from orders_by_hand ${where}`,
        values,
      }),
    ]);
    const totalCount = Number(count.rows[0]?.total);
    response.json({
      code: 0,
      msg: "success",
      data: { payOrderList: page.rows.map(orderRecord), totalCount },
    });
  });
});
