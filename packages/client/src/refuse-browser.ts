/**
 * Throws in a browser and in a mobile app, where every user could read the secret.
 *
 * It recognizes pages, their workers and React Native. Servers and edge runtimes pass, also if a
 * library such as jsdom or happy-dom gives them the globals of a page.
 */
export function refuseBrowser(): void {
  const isPage = memberOf(globalThis, "document") !== undefined;
  const isWorker = memberOf(globalThis, "importScripts") !== undefined;
  if (!isApp() && (isServer() || (!isPage && !isWorker))) return;
  throw new Error(
    'TillkitClient holds an APP_SECRET and must run on your server: in a browser or an app, every user could read the secret. Call your own server from here, and let it call Tillkit. If this is a server, set the option runtime: "server".',
  );
}

/**
 * Returns whether this is a server. Browser bundles may define `process`, but no version of Node.
 */
function isServer(): boolean {
  const process = memberOf(globalThis, "process");
  const versions = memberOf(process, "versions");
  // A window of Electron is a page, although it may have all of Node.
  const isWindow = memberOf(process, "type") === "renderer";
  const isNode = typeof memberOf(versions, "node") === "string" && !isWindow;
  const userAgent = String(memberOf(memberOf(globalThis, "navigator"), "userAgent"));
  return isNode || /^(?:Node\.js|Deno|Bun|Cloudflare-Workers)/.test(userAgent);
}

function isApp(): boolean {
  return memberOf(memberOf(globalThis, "navigator"), "product") === "ReactNative";
}

/** Returns a member that only some runtimes have. */
function memberOf(value: unknown, name: string): unknown {
  const hasMembers = (typeof value === "object" && value !== null) || typeof value === "function";
  return hasMembers ? Reflect.get(value, name) : undefined;
}
