import type { BetterAuthOptions } from "better-auth";
import { bearer, phoneNumber } from "better-auth/plugins";
import type pg from "pg";

/** better-auth as a backend for apps would set it up: logins by SMS, tokens in a header, sessions in the database it is given. */
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
    // Load comes from one address here.
    rateLimit: { enabled: false },
  } as const satisfies BetterAuthOptions;
}
