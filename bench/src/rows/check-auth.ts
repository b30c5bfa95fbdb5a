import { createHmac, randomBytes } from "node:crypto";
import type { Bench } from "../harness/bench.js";
import { overHttp } from "../harness/over-http.js";
import type { Row } from "../harness/row.js";
import { sameBytes } from "../harness/same-bytes.js";
import type { Load } from "../load/load.js";
import { migrateBetterAuth } from "../shop/migrate-better-auth.js";
import { openShop, type Shop } from "../shop/open-shop.js";
import { appHeaders, SCHEMA } from "../shop/shop-facts.js";
import { tillkitOn } from "../shop/tillkit-on.js";

/** Tokens that are asked about, of all that are live. */
const ASKED = 1_000;
const HOUR = 3_600_000;

/** Checking a session token, as every start of a customer's app does. */
export async function checkAuthRow(bench: Bench): Promise<Row> {
  const shop = await openShop(await bench.database());
  const sessions = bench.quick ? 2_000 : 100_000;
  const secret = randomBytes(32).toString("base64url");
  await openOurSessions(shop, sessions);
  await openTheirSessions(shop, sessions, secret);
  const numbers = Array.from({ length: ASKED }, (_, index) => 1 + index);
  const loadOf = (tokenOf: (n: number) => string): Load => ({
    connections: 16,
    items: numbers.map((n) => encodeURIComponent(tokenOf(n))),
    steps: [{ method: "GET", path: "/pay/checkAuth.json?token={item}", headers: appHeaders(shop.facts) }],
    expects: '"data":true',
  });
  const ours = await tillkitOn("express", bench, { facts: shop.facts, load: loadOf(ourToken) });
  const betterAuth = "better-auth getSession in an Express 5 route";
  const theirToken = (n: number): string => signed(`token${n}`, secret);
  return {
    work: `GET /checkAuth.json, one of ${sessions.toLocaleString("en")} sessions`,
    contestants: [
      ours,
      await tillkitOn("node", bench, { facts: shop.facts, load: loadOf(ourToken) }),
      await overHttp({
        name: betterAuth,
        role: "alternative",
        program: new URL("../servers/by-hand/check-auth.ts", import.meta.url),
        facts: { ...shop.facts, secret },
        load: loadOf(theirToken),
      }),
      await sameBytes(ours, loadOf(ourToken)),
    ],
    targets: [{ than: betterAuth, atLeast: 1 }],
    close: () => shop.sql.close(),
  };
}

function ourToken(n: number): string {
  return `cus_${String(n).padStart(26, "0")}.${String(n).padStart(43, "x")}`;
}

async function openOurSessions({ sql, facts }: Shop, count: number): Promise<void> {
  const now = Date.now();
  await sql.script(
    `insert into ${SCHEMA}.sessions (customer_id, app_id, token_hash, created_ms, expires_ms)
     select 'cus_' || lpad(n::text, 26, '0'), '${facts.appId}',
       encode(sha256(('cus_' || lpad(n::text, 26, '0') || '.' || lpad(n::text, 43, 'x'))::bytea), 'hex'), ${now}, ${now + HOUR}
     from generate_series(1, ${count}) as n;
     analyze ${SCHEMA}.sessions`,
  );
}

/** Its own migrations, and sessions as it writes them at a login. */
async function openTheirSessions(
  { sql, facts: { databaseUrl } }: Shop,
  count: number,
  secret: string,
): Promise<void> {
  await migrateBetterAuth(databaseUrl, secret);
  await sql.script(
    `insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
     select 'user' || n, 'Customer ' || n, n || '@example.com', true, now(), now() from generate_series(1, ${count}) as n;
     insert into session (id, token, "userId", "expiresAt", "createdAt", "updatedAt")
     select 'session' || n, 'token' || n, 'user' || n, now() + interval '7 days', now(), now() from generate_series(1, ${count}) as n;
     analyze "user"; analyze session`,
  );
}

/** A token as its clients get it: with the signature of the session cookie. */
function signed(token: string, secret: string): string {
  return `${token}.${createHmac("sha256", secret).update(token).digest("base64")}`;
}
