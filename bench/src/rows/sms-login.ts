import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Bench } from "../harness/bench.js";
import { databaseAlone } from "../harness/database-alone.js";
import { overHttp } from "../harness/over-http.js";
import type { BenchRow } from "../harness/row.js";
import { CONNECTIONS, type Load } from "../load/load.js";
import { migrateBetterAuth } from "../shop/migrate-better-auth.js";
import { openShop } from "../shop/open-shop.js";
import { appHeaders, POOL_MAX } from "../shop/shop-facts.js";
import { tillkitOn } from "../shop/tillkit-on.js";

const answered = z.object({ code: z.number(), data: z.record(z.string(), z.unknown()) });

/** Measures a customer's first login: the request of a code, and its exchange for a session. */
export async function smsLoginRow(bench: Bench): Promise<BenchRow> {
  const shop = await openShop(await bench.database());
  const secret = randomBytes(32).toString("base64url");
  await migrateBetterAuth(shop.facts.databaseUrl, secret);
  const headers = appHeaders(shop.facts);
  // Every contestant has its own phone numbers, so each login is a first one.
  const loadOf = (prefix: string): Load => ({
    connections: CONNECTIONS,
    steps: [
      { method: "GET", path: `/pay/sms.json?mobileNo=${prefix}{n8}`, headers },
      {
        method: "POST",
        path: "/pay/auth.json",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ mobileNo: `${prefix}{n8}`, authCode: "{kept}" }),
      },
    ],
    expects: '"code":0',
  });
  // Ids and tokens are random.
  const essence = (body: unknown) => {
    const { code, data } = answered.parse(body);
    return { code, members: Object.keys(data).sort() };
  };
  const facts = { ...shop.facts, sms: true };
  const betterAuth = await overHttp({
    name: "better-auth and rate-limiter-flexible in Express 5",
    role: "alternative",
    program: new URL("../servers/by-hand/sms-login.ts", import.meta.url),
    facts: { ...shop.facts, secret },
    load: loadOf("137"),
    essence,
  });
  await shop.sql.script(LOGIN_DDL);
  return {
    work: "GET /sms.json and POST /auth.json, a login of a new customer each",
    contestants: [
      await tillkitOn("node", bench, { facts, load: loadOf("138"), essence }),
      await tillkitOn("express", bench, { facts, load: loadOf("139"), essence }),
      betterAuth,
      await databaseAlone("the database alone, two statements", {
        databaseUrl: shop.facts.databaseUrl,
        connections: POOL_MAX,
        steps: [
          { text: TAKE_AND_KEEP, values: ["{n}", "123456", `${Date.now() + HOUR}`] },
          { text: USE_AND_OPEN, values: ["{n}", "123456", "token {n}", `${Date.now() + HOUR}`] },
        ],
      }),
    ],
    targets: [{ kind: "speed", than: betterAuth.name, atLeast: 4 }],
    close: () => shop.sql.close(),
  };
}

const HOUR = 3_600_000;

const LOGIN_DDL = `
  create table quotas_by_hand (phone text, day date, used integer not null, primary key (phone, day));
  create table codes_by_hand (phone text primary key, code text not null, expires_ms bigint not null);
  create table customers_by_hand (phone text primary key, customer_id text not null);
  create table sessions_by_hand (token_hash text primary key, customer_id text not null, expires_ms bigint not null)`;

/** Counts one of five messages a day, and stores the code. */
const TAKE_AND_KEEP = `
  with taken as (
    insert into quotas_by_hand as held (phone, day, used) values ($1, current_date, 1)
    on conflict (phone, day) do update set used = held.used + 1 where held.used < 5 returning phone)
  insert into codes_by_hand (phone, code, expires_ms) select phone, $2::text, $3::bigint from taken
  on conflict (phone) do update set code = excluded.code, expires_ms = excluded.expires_ms`;

/** Deletes the code, creates or finds the customer, and creates the session. */
const USE_AND_OPEN = `
  with used as (delete from codes_by_hand where phone = $1 and code = $2 returning phone),
  customer as (
    insert into customers_by_hand as held (phone, customer_id) select phone, 'customer ' || phone from used
    on conflict (phone) do update set customer_id = held.customer_id returning customer_id)
  insert into sessions_by_hand (token_hash, customer_id, expires_ms) select $3::text, customer_id, $4::bigint from customer`;
