import type { BetterAuthOptions } from "better-auth";
import { bearer, phoneNumber } from "better-auth/plugins";
import type pg from "pg";

/**
 * Configures better-auth for the backend of an app.
 *
 * Logins by SMS, tokens in a header, and sessions in the given database.
 */
export function betterAuthOptions(
  pool: pg.Pool,
  secret: string,
  send: (code: string) => void = () => undefined,
) {
  return {
    database: pool,
    secret,
    baseURL: "https://pay.example",
    plugins: [
      bearer(),
      phoneNumber({
        sendOTP: ({ code }) => send(code),
        signUpOnVerification: { getTempEmail: (number) => `${number.replace("+", "")}@pay.example` },
      }),
    ],
    telemetry: { enabled: false },
    // The load comes from one address.
    rateLimit: { enabled: false },
  } as const satisfies BetterAuthOptions;
}
