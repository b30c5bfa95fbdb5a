import type { BetterAuthOptions } from "better-auth";
import { bearer } from "better-auth/plugins";
import type pg from "pg";

/** better-auth as a backend for apps would set it up: tokens in a header, sessions in the database it is given. */
export function betterAuthOptions(pool: pg.Pool, secret: string) {
  return {
    database: pool,
    secret,
    baseURL: "https://pay.example",
    plugins: [bearer()],
    telemetry: { enabled: false },
    // Load comes from one address here.
    rateLimit: { enabled: false },
  } as const satisfies BetterAuthOptions;
}
