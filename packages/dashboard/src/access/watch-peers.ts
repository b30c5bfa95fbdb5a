import type { HttpRequest } from "@tillkit/core/http";
import { peerKey } from "@tillkit/core/operators";

/** Headers in which proxies name the address of the client. */
const FORWARDED = ["x-forwarded-for", "x-real-ip", "forwarded", "cf-connecting-ip", "true-client-ip"];
/** Private addresses. A proxy near the host may have one, but no client on the internet has one. */
const PRIVATE = /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0:0:0:0::\/64$|f[cd]|fe[89ab])/;

/**
 * Returns a function that receives every request, and warns once if all clients share an address.
 *
 * Then the limits on signing in count all clients together, and the audit log has no other address.
 *
 * @param warn - receives the code of the warning and its text.
 */
export function watchPeers(warn: (code: string, text: string) => void): (request: HttpRequest) => void {
  let isWarned = false;
  return ({ peer, headers }) => {
    if (isWarned) return;
    const text = peer === undefined ? NO_ADDRESS : isProxy(peer, headers) ? PROXY_ADDRESS : undefined;
    if (text === undefined) return;
    isWarned = true;
    warn("TILLKIT_DASHBOARD_PEERS", text);
  };
}

const NO_ADDRESS =
  "The operators' page receives no client addresses, so wrong sign-ins count for all clients together. Pass `peerOf` to the binding.";
const PROXY_ADDRESS =
  "The operators' page seems to be behind a proxy, and receives the proxy's address instead of the clients' addresses, so wrong sign-ins count for all clients together. Pass `peerOf` to the binding.";

/** Returns whether the address belongs to a proxy that names another address in a header. */
function isProxy(peer: string, headers: HttpRequest["headers"]): boolean {
  const key = peerKey(peer);
  if (!PRIVATE.test(key)) return false;
  const named = FORWARDED.flatMap((name) => headers.get(name)?.split(/[,;]/) ?? []);
  const keys = named.map((part) => peerKey(part.replace(/^\s*for=/i, "").replaceAll('"', "")));
  return keys.length > 0 && !keys.includes(key);
}
