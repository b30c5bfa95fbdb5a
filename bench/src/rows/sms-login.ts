import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Bench } from "../harness/bench.js";
import { overHttp } from "../harness/over-http.js";
import type { Row } from "../harness/row.js";
import type { Load } from "../load/load.js";
import { migrateBetterAuth } from "../shop/migrate-better-auth.js";
import { openShop } from "../shop/open-shop.js";
import { appHeaders } from "../shop/shop-facts.js";
import { tillkitOn } from "../shop/tillkit-on.js";

const answered = z.object({ code: z.number(), data: z.record(z.string(), z.unknown()) });

/** A customer's first login: a code is asked for, and exchanged for a session. */
export async function smsLoginRow(bench: Bench): Promise<Row> {
  const shop = await openShop(await bench.database());
  const secret = randomBytes(32).toString("base64url");
  await migrateBetterAuth(shop.facts.databaseUrl, secret);
  const headers = appHeaders(shop.facts);
  const load: Load = {
    connections: 16,
    steps: [
      { method: "GET", path: "/pay/sms.json?mobileNo=138{n8}", headers },
      {
        method: "POST",
        path: "/pay/auth.json",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ mobileNo: "138{n8}", authCode: "{kept}" }),
      },
    ],
    expects: '"code":0',
  };
  // Ids and tokens are random.
  const essence = (body: unknown) => {
    const { code, data } = answered.parse(body);
    return { code, members: Object.keys(data).sort() };
  };
  const betterAuth = "better-auth and rate-limiter-flexible in Express 5";
  return {
    work: "GET /sms.json and POST /auth.json, a login of a new customer each",
    contestants: [
      await tillkitOn("express", bench, { facts: { ...shop.facts, sms: true }, load, essence }),
      await overHttp({
        name: betterAuth,
        role: "alternative",
        program: new URL("../servers/by-hand/sms-login.ts", import.meta.url),
        facts: { ...shop.facts, secret },
        load,
        essence,
      }),
    ],
    targets: [{ than: betterAuth, atLeast: 1 }],
    close: () => shop.sql.close(),
  };
}
