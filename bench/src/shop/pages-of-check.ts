import { createHash } from "node:crypto";
import { orThrow } from "@tillkit/core";
import { pgClient, postgresStores, type SqlClient } from "@tillkit/postgres";
import pg from "pg";
import { z } from "zod";
import { SESSION_TOKEN } from "./fill-sessions.js";
import { SCHEMA, type ShopFacts } from "./shop-facts.js";

/** How many sessions are checked. */
const CHECKS = 200;

const explained = z.tuple([
  z.object({
    Plan: z.object({ "Shared Hit Blocks": z.number(), "Shared Read Blocks": z.number() }),
  }),
]);

/**
 * Returns how many pages of tables and indexes the database reads to check a session, on average.
 *
 * A page counts whether or not it is in memory, so the figure does not depend on other load.
 * `sessions` is the number of filled-in sessions.
 */
export async function pagesOfCheck(facts: ShopFacts, sessions: number): Promise<number> {
  const sql = pgClient(new pg.Pool({ connectionString: facts.databaseUrl, max: 1 }));
  let pages = 0;
  const explaining: SqlClient = {
    ...sql,
    query: async ({ name, text }, values) => {
      const explain = `explain (analyze, buffers, format json) ${text}`;
      if (text.includes(".sessions"))
        for (const row of await sql.query({ name: `pages_${name}`.slice(0, 63), text: explain }, values)) {
          const [{ Plan: plan }] = explained.parse(row["QUERY PLAN"]);
          pages += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
        }
      return sql.query({ name, text }, values);
    },
  };
  const key = { version: 1, key: Buffer.from(facts.credentialKey, "base64") };
  const stores = postgresStores({ sql: explaining, schema: SCHEMA, credentialKeys: [key] });
  try {
    for (let check = 0; check < CHECKS; check += 1) {
      const n8 = String(1 + Math.floor((check * sessions) / CHECKS)).padStart(8, "0");
      const token = SESSION_TOKEN.replaceAll("{n8}", n8);
      const customerId = token.slice(0, token.indexOf("."));
      const tokenHash = createHash("sha256").update(token).digest("hex");
      const session = { appId: facts.appId, customerId, tokenHash };
      const isLive = await orThrow(stores.sessions.use(session, Date.now()));
      if (!isLive) throw new Error(`The session ${n8} is not live.`);
    }
  } finally {
    await sql.close();
  }
  return pages / CHECKS;
}
