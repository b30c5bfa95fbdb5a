import type { CustomerSession } from "@tillkit/core/operators";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import { z } from "zod";
import type { CliFailure } from "../failure.js";
import { databaseOnly, type Server } from "./open-server.js";

const customerSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      gmtCreate: z.int(),
      lastUsedAt: z.int(),
      expiresAt: z.int(),
      label: z.string().exactOptional(),
    }),
  ),
});
const endedSchema = z.object({ sessions: z.int() });

/** Returns the identity of a customer. A server finds no customer by phone number. */
export function requiredIdentity(identity: string | undefined): Result<string, CliFailure> {
  return identity === undefined ? err(databaseOnly("A customer without --identity")) : ok(identity);
}

/** Lists the live sessions of a customer, newest first. */
export function listCustomerSessions(
  server: Server,
  app: string,
  customerId: string,
): ResultAsync<readonly CustomerSession[], CliFailure> {
  return server
    .read(["customers", app, customerId], {}, customerSchema)
    .map(({ sessions }) => sessions.map(({ id, ...session }) => ({ id, customerId, ...session })));
}

/** Ends one session of a customer, or all of them. Returns their number. */
export function endCustomerSessions(
  server: Server,
  app: string,
  customerId: string,
  body: { readonly reason: string; readonly sessionId?: string },
): ResultAsync<number, CliFailure> {
  return server
    .change(["customers", app, customerId, "sessions", "end"], body, endedSchema)
    .map(({ sessions }) => sessions);
}
