import { alipayWallet } from "@tillkit/alipay";
import type { Ports, Stores } from "@tillkit/core";
import { nodeUrl, pgClient, postgresStores, type SqlClient } from "@tillkit/postgres";
import { systemClock, systemRandom } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import pg from "pg";
import { z } from "zod";

/** The schema of the set-up of a host that shares its database. */
export const hostSetup = z.object({
  databaseUrl: z.string(),
  schema: z.string(),
  /** How the hosts use their connections. Defaults to the defaults of `pgClient`. */
  client: z
    .object({ settings: z.enum(["connection", "role"]), statements: z.enum(["named", "unnamed"]) })
    .optional(),
  /** Whether the hosts connect to the workers of a Citus cluster directly. */
  direct: z.boolean().optional(),
  /** The base URL of WeChat Pay's API. */
  walletAUrl: z.string(),
  /** Accepts messages instead of an SMS carrier. */
  smsUrl: z.string(),
  /** At least 32 characters: the pepper and the credential key of the test. */
  secret: z.string(),
  /** The time zone of the hosts' business days. */
  timeZone: z.string(),
  /** The ages at which a host queries the wallet about an order, in milliseconds. */
  querySchedule: z.array(z.int()),
});
/** The set-up of a host that shares its database. */
export type HostSetup = z.infer<typeof hostSetup>;

/** A phone number that logs in with a fixed code, any number of times. */
export const TEST_NUMBER = { mobileNo: "13700000000", authCode: "135791" };

/** Timeouts that a busy machine does not reach. */
const PATIENT = { statementMs: 60_000, idleInTransactionMs: 60_000, connectMs: 60_000 };

/** Opens the stores that all hosts share. */
export function sharedStores({
  databaseUrl,
  schema,
  client,
  direct = false,
  secret,
}: Pick<HostSetup, "databaseUrl" | "schema" | "client" | "direct" | "secret">): {
  readonly sql: SqlClient;
  readonly stores: Stores;
} {
  const poolOf = (connectionString: string) => new pg.Pool({ connectionString, max: 10 });
  const sql = pgClient(poolOf(databaseUrl), {
    ...PATIENT,
    ...client,
    ...(direct ? { nodePool: (node) => poolOf(nodeUrl(databaseUrl, node)) } : {}),
  });
  const key = Buffer.from(secret).subarray(0, 32);
  return { sql, stores: postgresStores({ sql, schema, credentialKeys: [{ version: 1, key }] }) };
}

/** Creates the wallet adapters of a host. Only WeChat Pay has an address. */
export function sharedWallets({ walletAUrl }: Pick<HostSetup, "walletAUrl">): Ports["wallets"] {
  const clock = systemClock;
  return {
    WALLET_A: wechatPayWallet({ clock, random: systemRandom, gateways: { DEV: walletAUrl } }),
    WALLET_B: alipayWallet({ clock }),
  };
}
