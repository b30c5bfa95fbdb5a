import { randomBytes } from "node:crypto";

/** How long a token is valid, and how long before its end it is replaced, in milliseconds. */
const LIFETIME_MS = 7_200_000;
const REPLACED_BEFORE_MS = 300_000;

/** The state of a token that a request has. */
export type TokenState = { readonly appid: string } | "unknown" | "expired";

/** The access tokens of mini-programs. A restart of the process makes them invalid. */
export interface AccessTokens {
  /** Returns the current token of a mini-program, or another one if it expires soon. */
  issue(appid: string): { readonly token: string; readonly expiresIn: number };
  find(token: string): TokenState;
  /** Makes every token invalid before its end. */
  revoke(): void;
  /** How many tokens were created. */
  created(): number;
}

/** Creates the tokens of one sandbox. */
export function createAccessTokens(clock: { now(): number }): AccessTokens {
  const current = new Map<string, string>();
  const tokens = new Map<string, { readonly appid: string; readonly expiresAt: number }>();
  let created = 0;
  return {
    issue: (appid) => {
      const now = clock.now();
      const held = current.get(appid) ?? "";
      const expiresAt = tokens.get(held)?.expiresAt ?? 0;
      if (expiresAt - now > REPLACED_BEFORE_MS)
        return { token: held, expiresIn: Math.floor((expiresAt - now) / 1_000) };
      created += 1;
      const token = `80_${randomBytes(64).toString("base64url")}`;
      tokens.set(token, { appid, expiresAt: now + LIFETIME_MS });
      current.set(appid, token);
      return { token, expiresIn: LIFETIME_MS / 1_000 };
    },
    find: (token) => {
      const found = tokens.get(token);
      if (found === undefined) return "unknown";
      return found.expiresAt <= clock.now() ? "expired" : { appid: found.appid };
    },
    revoke: () => {
      tokens.clear();
      current.clear();
    },
    created: () => created,
  };
}
