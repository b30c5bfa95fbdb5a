import type { Stores } from "@tillkit/core";
import { pgClient, postgresStores, type SqlClient } from "@tillkit/postgres";
import type { SandboxKeys } from "@tillkit/sandbox";
import pg from "pg";
import { z } from "zod";

/** What a host process of the hammer is told. */
export const hostSetup = z.object({
  databaseUrl: z.string(),
  doubleUrl: z.string(),
  /** At least 32 characters: pepper and credential key of the test. */
  secret: z.string(),
  sandboxKeys: z.custom<SandboxKeys>(),
});
/** What a host process of the hammer is told. */
export type HostSetup = z.infer<typeof hostSetup>;

/** A number that logs in with a fixed code, as often as it likes. */
export const TEST_NUMBER = { mobileNo: "13700000000", authCode: "135791" };

/** The stores all hosts share. */
export function sharedStores({ databaseUrl, secret }: Pick<HostSetup, "databaseUrl" | "secret">): {
  readonly sql: SqlClient;
  readonly stores: Stores;
} {
  const sql = pgClient(new pg.Pool({ connectionString: databaseUrl, max: 10 }));
  const key = Buffer.from(secret).subarray(0, 32);
  return { sql, stores: postgresStores({ sql, schema: "tillkit", credentialKeys: [{ version: 1, key }] }) };
}
