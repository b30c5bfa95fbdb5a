import express from "express";
import { z } from "zod";
import { runAsServer } from "../../harness/run-as-server.js";
import { shopFacts } from "../../shop/shop-facts.js";
import { answering, poolOf } from "./answering.js";
import { orderRecord, READ_ORDER } from "./order-record.js";

const query = z.object({ bizNo: z.string().min(1).max(64), customerIdentity: z.string().max(64) });

/** Serves `/detail.json` as a team would write it: Express and one query. */
runAsServer(async (given) => {
  const facts = shopFacts.parse(given);
  const pool = poolOf(facts);
  return express().get(
    "/pay/detail.json",
    ...answering(facts, query, async ({ bizNo, customerIdentity }) => {
      const { rows } = await pool.query<Record<string, unknown>>({
        name: "detail",
        text: READ_ORDER,
        values: [facts.appId, bizNo, customerIdentity],
      });
      const [row] = rows;
      if (row === undefined) return { code: 50001, msg: "Order not found" };
      return { code: 0, msg: "success", data: orderRecord(row) };
    }),
  );
});
