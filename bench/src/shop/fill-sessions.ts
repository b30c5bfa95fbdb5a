import type { Shop } from "./open-shop.js";
import { SCHEMA } from "./shop-facts.js";

const HOUR = 3_600_000;
// A customer id and a secret in their real lengths. The last eight digits of both are the number of
// the session.
const [CUSTOMER, SECRET] = [`cus_${"0".repeat(18)}`, "x".repeat(35)];

/** The token of a filled-in session, with a placeholder for the eight digits of its number. */
export const SESSION_TOKEN = `${CUSTOMER}{n8}.${SECRET}{n8}`;

/** Inserts `count` valid sessions of as many customers. */
export async function fillSessions({ sql, facts }: Shop, count: number): Promise<void> {
  const now = Date.now();
  const n8 = "lpad(n::text, 8, '0')";
  await sql.script(
    `insert into ${SCHEMA}.sessions (customer_id, app_id, token_hash, created_ms, expires_ms)
     select '${CUSTOMER}' || ${n8}, '${facts.appId}',
       encode(sha256(('${CUSTOMER}' || ${n8} || '.${SECRET}' || ${n8})::bytea), 'hex'), ${now}, ${now + HOUR}
     from generate_series(1, ${count}) as n`,
  );
  await sql.script(`vacuum analyze ${SCHEMA}.sessions`);
}
