import { randomUUID } from "node:crypto";
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
  const send = async (path: string, data: object, headers: Readonly<Record<string, string>> = {}) => {
    const sent = { data, headers: { ...headers } };
    const answer: unknown = await (await context.request.post(`${host.url}/api/session${path}`, sent)).json();
    return answer;
  };
  const { csrfToken } = session.parse(await send("", { name, password: PASSWORD }));
  const headers = { "x-csrf-token": csrfToken, "x-change-id": randomUUID() };
  const { key } = enrolment.parse(await send("/enrolment", {}, headers));
  await send("/enrolment/confirm", { code: codeOf(key, host.ports.clock.now()) }, headers);
  return key;
}
