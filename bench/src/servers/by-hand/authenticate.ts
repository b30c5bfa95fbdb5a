import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import type { ShopFacts } from "../../shop/shop-facts.js";

/** Accepts only requests with the app id and secret that the server was configured with. */
export function authenticate({ appId, appSecret }: Pick<ShopFacts, "appId" | "appSecret">): RequestHandler {
  const expected = sha256(appSecret);
  return (request, response, next) => {
    const secret = request.get("app_secret");
    if (request.get("app_id") === appId && secret !== undefined && timingSafeEqual(sha256(secret), expected))
      next();
    else response.json({ code: 1001, msg: "App id or secret is wrong" });
  };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
