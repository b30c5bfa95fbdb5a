import { createHmac, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Bench } from "../harness/bench.js";
import { overHttp } from "../harness/over-http.js";
import type { BenchRow } from "../harness/row.js";
import { sameBytes } from "../harness/same-bytes.js";
import { checkSessions } from "../load/check-sessions.js";
import type { Load } from "../load/load.js";
import { fillSessions } from "../shop/fill-sessions.js";
import { migrateBetterAuth } from "../shop/migrate-better-auth.js";
import { openShop, type Shop } from "../shop/open-shop.js";
import { appHeaders } from "../shop/shop-facts.js";
import { tillkitOn } from "../shop/tillkit-on.js";

const theirAnswer = z.object({ session: z.object({ id: z.string() }) });

/** Measures the check of a session token, which a customer's app does at every start. */
export async function checkAuthRow(bench: Bench): Promise<BenchRow> {
  const shop = await openShop(await bench.database());
  const { facts } = shop;
  const sessions = bench.quick ? 2_000 : 100_000;
  const secret = randomBytes(32).toString("base64url");
  await fillSessions(shop, sessions);
  await fillTheirSessions(shop, sessions, secret);
  const load = checkSessions(facts, { sessions });
  const theirs: Load = { ...load, items: theirTokens(sessions, secret) };
  const node = await tillkitOn("node", bench, { facts, load });
  const express = await tillkitOn("express", bench, { facts, load });
  const betterAuth = {
    role: "alternative",
    program: new URL("../servers/by-hand/check-auth.ts", import.meta.url),
  } as const;
  const theirHandler = await overHttp({
    ...betterAuth,
    name: "better-auth getSession by its handler for node:http",
    facts: { ...facts, secret, on: "node" },
    load: {
      ...theirs,
      steps: [{ method: "GET", path: "/api/auth/get-session", headers: { authorization: "Bearer {token}" } }],
      expects: '"session":{',
    },
    // better-auth returns more than Tillkit, which only confirms the session.
    essence: (body) => ({ code: 0, msg: "success", data: theirAnswer.safeParse(body).success }),
  });
  const theirRoute = await overHttp({
    ...betterAuth,
    name: "better-auth getSession in an Express 5 route",
    facts: { ...facts, secret, on: "express" },
    load: {
      ...theirs,
      steps: [{ method: "GET", path: "/pay/checkAuth.json?token={encoded}", headers: appHeaders(facts) }],
    },
  });
  const bare = await sameBytes("node", node, load);
  return {
    work: `GET /checkAuth.json, one of ${sessions.toLocaleString("en")} sessions`,
    contestants: [node, express, theirHandler, theirRoute, bare],
    ...(bench.quick ? { lessData: `${sessions.toLocaleString("en")} sessions instead of 100,000` } : {}),
    targets: [
      { kind: "speed", than: theirHandler.name, atLeast: 15 },
      { kind: "speed", than: bare.name, atLeast: 0.4 },
      { kind: "cpu", than: bare.name, atMost: 1.8 },
      { kind: "speed", ours: express.name, than: theirHandler.name, atLeast: 6 },
    ],
    close: () => shop.sql.close(),
  };
}

/** Runs better-auth's own migrations, and stores sessions as better-auth does at a login. */
async function fillTheirSessions(
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

/**
 * Creates tokens as better-auth's clients receive them: with the signature of the session cookie.
 */
function theirTokens(count: number, secret: string): NonNullable<Load["items"]> {
  return Array.from({ length: count }, (_, index) => {
    const text = `token${index + 1}`;
    const token = `${text}.${createHmac("sha256", secret).update(text).digest("base64")}`;
    return { token, encoded: encodeURIComponent(token) };
  });
}
