import express from "express";
import { z } from "zod";
import { runAsServer } from "../../harness/run-as-server.js";
import { shopFacts } from "../../shop/shop-facts.js";
import { answering, poolOf } from "./answering.js";
import { countOrders, orderRecord, readPage } from "./order-record.js";

const query = z.object({
  customerIdentity: z.string().min(1).max(64),
  paymentStatus: z.string().max(32).optional(),
  pageNum: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(20),
});

/** Serves `/history.json` as a team would write it, with concurrent queries for page and count. */
runAsServer(async (given) => {
  const facts = shopFacts.parse(given);
  const pool = poolOf(facts);
  return express().get(
    "/pay/history.json",
    ...answering(facts, query, async ({ customerIdentity, paymentStatus, pageNum, pageSize }) => {
      const suffix = paymentStatus === undefined ? "" : " by status";
      const ofCustomer = [facts.appId, customerIdentity];
      const ofStatus = paymentStatus === undefined ? [] : [paymentStatus];
      const [page, count] = await Promise.all([
        pool.query<Record<string, unknown>>({
          name: `page${suffix}`,
          text: readPage(paymentStatus),
          values: [...ofCustomer, pageSize, (pageNum - 1) * pageSize, ...ofStatus],
        }),
        pool.query<{ total: string }>({
          name: `count${suffix}`,
          text: countOrders(paymentStatus),
          values: [...ofCustomer, ...ofStatus],
        }),
      ]);
      const totalCount = Number(count.rows[0]?.total);
      return { code: 0, msg: "success", data: { payOrderList: page.rows.map(orderRecord), totalCount } };
    }),
  );
});
