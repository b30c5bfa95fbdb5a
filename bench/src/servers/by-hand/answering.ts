import type { RequestHandler } from "express";
import pg from "pg";
import type { z } from "zod";
import { POOL_MAX, type ShopFacts } from "../../shop/shop-facts.js";
import { authenticate } from "./authenticate.js";

/** Returns the handlers of a route: authenticate the app, validate the input, send the answer. */
export function answering<T>(
  facts: Pick<ShopFacts, "appId" | "appSecret">,
  input: z.ZodType<T>,
  answer: (valid: T) => Promise<object>,
): RequestHandler[] {
  return [
    authenticate(facts),
    async (request, response) => {
      const parsed = input.safeParse(request.method === "GET" ? request.query : request.body);
      response.json(
        parsed.success ? await answer(parsed.data) : { code: 10003, msg: "A parameter is wrong" },
      );
    },
  ];
}

/** Opens the connection pool of a hand-written server. */
export function poolOf({ databaseUrl }: Pick<ShopFacts, "databaseUrl">): pg.Pool {
  return new pg.Pool({ connectionString: databaseUrl, max: POOL_MAX });
}
