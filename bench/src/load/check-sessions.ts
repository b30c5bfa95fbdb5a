import { SESSION_TOKEN } from "../shop/fill-sessions.js";
import { appHeaders, type ShopFacts } from "../shop/shop-facts.js";
import { CONNECTIONS, type Load } from "./load.js";

/** Checks the token of one of `sessions` filled-in sessions per operation. */
export function checkSessions(
  facts: ShopFacts,
  { sessions, connections = CONNECTIONS }: { readonly sessions: number; readonly connections?: number },
): Load {
  return {
    connections,
    among: sessions,
    steps: [
      { method: "GET", path: `/pay/checkAuth.json?token=${SESSION_TOKEN}`, headers: appHeaders(facts) },
    ],
    expects: '"data":true',
  };
}
