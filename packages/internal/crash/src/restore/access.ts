import {
  authenticateCaller,
  checkToken,
  logIn,
  orThrow,
  type Ports,
  revokeSession,
  sendCode,
} from "@tillkit/core";
import { rotateSecret } from "@tillkit/core/operators";
import pg from "pg";
import { z } from "zod";
import { SCHEMA, type Service } from "./service.js";

const PHONE = "+8613800000001";
const messages = z.array(z.object({ authCode: z.string() }));
const outbox = z.union([messages, z.looseObject({ messages }).transform((reply) => reply.messages)]);

/** Whether credentials work that were withdrawn after the backup. */
export interface WithdrawnAccess {
  readonly session: boolean;
  readonly secret: boolean;
}

/** Logs a customer in. Returns the session's token. */
export async function openSession({ ports, appId, sandbox, advance }: Service): Promise<string> {
  // A phone gets one code per minute.
  await advance(61_000);
  await orThrow(sendCode(ports(), appId, { mobileNo: PHONE }));
  const query = `mobileNo=${encodeURIComponent(PHONE)}`;
  const request = { method: "GET", path: "/sms", query, headers: new Headers(), body: new Uint8Array() };
  const { body } = await sandbox.control.handle(request);
  const authCode = outbox.parse(JSON.parse(body)).at(-1)?.authCode ?? "";
  return (await orThrow(logIn(ports(), appId, { mobileNo: PHONE, authCode }))).token;
}

/** Ends the session, and replaces the app's secret: the old one stops working at once. */
export async function withdrawAccess({ ports, appId }: Service, token: string): Promise<void> {
  await orThrow(revokeSession(ports(), appId, token));
  await orThrow(rotateSecret(ports(), appId, 0));
}

/** Tries the session and the app's first secret. */
export async function tryAccess(
  { ports, appId, appSecret }: Service,
  token: string,
): Promise<WithdrawnAccess> {
  const current: Ports = ports();
  return {
    session: await orThrow(checkToken(current, appId, { token })),
    secret: (await authenticateCaller(current, { appId, appSecret })).isOk(),
  };
}

/** Ends all sessions and rotates the app's secret, as the guide on restores says. */
export async function withdrawRestoredAccess({ ports, appId, sandbox }: Service, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const tables = ["sessions", "session_owners", "auth_codes", "operator_sessions"];
  await client.query(`truncate ${tables.map((table) => `${SCHEMA}.${table}`).join(", ")}`);
  await client.end();
  await orThrow(rotateSecret(ports(), appId, 0));
  // Each host caches apps for a second. `sleep` of this clock waits in real time.
  await sandbox.clock.sleep(1_500);
}
