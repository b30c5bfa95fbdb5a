import { betterAuth } from "better-auth";
import { toNodeHandler } from "better-auth/node";
import express from "express";
import { z } from "zod";
import { runAsServer } from "../../harness/run-as-server.js";
import { shopFacts } from "../../shop/shop-facts.js";
import { betterAuthOptions } from "../better-auth-options.js";
import { answering, poolOf } from "./answering.js";

const checkFacts = shopFacts.extend({ secret: z.string(), on: z.enum(["express", "node"]) });
const query = z.object({ token: z.string().min(1) });

/** Serves better-auth's session check, by its handler for `node:http` or in an Express route. */
runAsServer(async (given) => {
  const { on, ...facts } = checkFacts.parse(given);
  const auth = betterAuth(betterAuthOptions(poolOf(facts), facts.secret));
  if (on === "node") {
    const handle = toNodeHandler(auth);
    return (request, response) => void handle(request, response);
  }
  return express().get(
    "/pay/checkAuth.json",
    ...answering(facts, query, async ({ token }) => {
      const headers = new Headers({ authorization: `Bearer ${token}` });
      const session = await auth.api.getSession({ headers });
      return { code: 0, msg: "success", data: session !== null };
    }),
  );
});
