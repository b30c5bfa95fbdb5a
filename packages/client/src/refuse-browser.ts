/**
 * Throws in a browser and in a mobile app, where every user could read the secret.
 *
 * It recognizes pages, their workers and React Native. Servers and edge runtimes pass.
 */
export function refuseBrowser(): void {
  const isPage = memberOf(globalThis, "document") !== undefined;
  const isWorker = memberOf(globalThis, "importScripts") !== undefined && !isServer();
  if (!isPage && !isWorker && !isApp()) return;
  throw new Error(
    "TillkitClient holds an APP_SECRET and must run on your server: in a browser or an app, every user could read the secret. Call your own server from here, and let it call Tillkit.",
  );
}

function isServer(): boolean {
  const userAgent = String(memberOf(memberOf(globalThis, "navigator"), "userAgent"));
  return /^(?:Node\.js|Deno|Bun|Cloudflare-Workers)/.test(userAgent);
}

function isApp(): boolean {
  return memberOf(memberOf(globalThis, "navigator"), "product") === "ReactNative";
}

/** Returns a member that only some runtimes have. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
