import { betterAuth } from "better-auth";
import express from "express";
import pg from "pg";
import { z } from "zod";
import { beServer } from "../../harness/be-server.js";
import { POOL_MAX, shopFacts } from "../../shop/shop-facts.js";
import { betterAuthOptions } from "../better-auth-options.js";
import { authenticate } from "./authenticate.js";

const query = z.object({ token: z.string().min(1) });

/** `/checkAuth.json` by way of better-auth: what its documentation does in a route of Express. */
beServer(async (given) => {
  const facts = shopFacts.extend({ secret: z.string() }).parse(given);
  const pool = new pg.Pool({ connectionString: facts.databaseUrl, max: POOL_MAX });
  const auth = betterAuth(betterAuthOptions(pool, facts.secret));
  return express().get("/pay/checkAuth.json", authenticate(facts), async (request, response) => {
    const parsed = query.safeParse(request.query);
    if (!parsed.success) {
      response.json({ code: 10002, msg: "token is missing" });
      return;
    }
    const headers = new Headers({ authorization: `Bearer ${parsed.data.token}` });
    const session = await auth.api.getSession({ headers });
    response.json({ code: 0, msg: "success", data: session !== null });
  });
});
