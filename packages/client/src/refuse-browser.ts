/**
 * Throws in a browser and in a mobile app, where every user could read the secret.
 *
 * It recognizes pages, their workers and React Native. Servers and edge runtimes pass.
 */
export function refuseBrowser(): void {
  const { document, importScripts, navigator } = surroundings();
  const isPage = document !== undefined;
  const isWorker = typeof importScripts === "function" && !isServer();
  const isApp = navigator?.product === "ReactNative";
  if (!isPage && !isWorker && !isApp) return;
  throw new Error(
    "TillkitClient holds an APP_SECRET and must run on your server: in a browser or an app, every user could read the secret. Call your own server from here, and let it call Tillkit.",
  );
}

interface Surroundings {
  readonly document?: unknown;
  readonly importScripts?: unknown;
  readonly navigator?: { readonly product?: unknown; readonly userAgent?: unknown };
}

function surroundings(): Surroundings {
  return globalThis;
}

function isServer(): boolean {
  const userAgent = String(surroundings().navigator?.userAgent);
  return /^(?:Node\.js|Deno|Bun|Cloudflare-Workers)/.test(userAgent);
}
