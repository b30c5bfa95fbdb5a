import { alipayWallet } from "@tillkit/alipay";
import type { Ports, Stores } from "@tillkit/core";
import { pgClient, postgresStores, type SqlClient } from "@tillkit/postgres";
import { systemClock, systemRandom } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import pg from "pg";
import { z } from "zod";

/** What a host process of the hammer is told. */
export const hostSetup = z.object({
  databaseUrl: z.string(),
  /** Where WALLET_A's API begins. */
  walletAUrl: z.string(),
  /** Takes messages in place of the SMS carrier. */
  smsUrl: z.string(),
  /** At least 32 characters: pepper and credential key of the test. */
  secret: z.string(),
  /** Where the days of the hosts begin and end. */
  timeZone: z.string(),
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

/** The way of a host to the wallets; nobody pays by WALLET_B here. */
export function sharedWallets({ walletAUrl }: Pick<HostSetup, "walletAUrl">): Ports["wallets"] {
  const clock = systemClock;
  return {
    WALLET_A: wechatPayWallet({ clock, random: systemRandom, gateways: { DEV: walletAUrl } }),
    WALLET_B: alipayWallet({ clock }),
  };
}
