import type { openHost } from "./tillkit.ts";

declare global {
  var host: ReturnType<typeof openHost> | undefined;
}

/** Opens the host. Next.js calls it at the start of its server, and never in `next build`. */
export async function register(): Promise<void> {
  // A development server may call this function again after a change.
  if (process.env.NEXT_RUNTIME === "nodejs" && globalThis.host === undefined) {
    const { openHost, PORT } = await import("./tillkit.ts");
    globalThis.host = openHost();
    const { stopOnSignal } = await globalThis.host.catch((error: unknown) => {
      console.error(error);
      process.exit(1); // Otherwise Next.js would answer every request with 500.
    });
    // With its own listeners, Next.js would end the process while a background task still runs.
    for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
    // Next.js offers no way to close its server, so requests have five seconds to end.
    const drainMs = process.env.NODE_ENV === "production" ? 5_000 : 0;
    stopOnSignal(() => new Promise((resolve) => setTimeout(resolve, drainMs)));
    // Compiles the routes now: the wallet of a first payment would not wait for it.
    if (process.env.NODE_ENV === "development")
      fetch(`http://127.0.0.1:${PORT}/health`).catch(() => undefined);
  }
}
