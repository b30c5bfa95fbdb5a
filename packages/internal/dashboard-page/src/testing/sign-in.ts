import { Secret, TOTP } from "otpauth";
import type { BrowserContext } from "playwright-core";
import { z } from "zod";
import { type Host, PASSWORD } from "./open-host.js";

const session = z.object({ csrfToken: z.string() });
const enrolment = z.object({ key: z.string() });

/** Returns the code that an operator's phone shows. */
export function codeOf(key: string, timestamp: number): string {
  return new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp });
}

/**
 * Signs an operator in by the API, and gives the session to a browser.
 *
 * @returns the key of the operator's second factor.
 */
export async function signIn(host: Host, context: BrowserContext, name: string): Promise<string> {
  const send = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${host.url}/api/session${path}`, sent);
    const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
    return { json: await response.json(), cookie };
  };
  const first = await send("", { name, password: PASSWORD });
  const headers = { cookie: first.cookie, "x-csrf-token": session.parse(first.json).csrfToken };
  const { key } = enrolment.parse((await send("/enrolment", {}, headers)).json);
  const code = codeOf(key, host.ports.clock.now());
  const { cookie } = await send("/enrolment/confirm", { code }, headers);
  const [cookieName = "", value = ""] = cookie.split("=");
  const { hostname } = new URL(host.url);
  const scope = { domain: hostname, path: host.mountPath, httpOnly: true, sameSite: "Strict" } as const;
  await context.addCookies([{ name: cookieName, value, ...scope }]);
  return key;
}
