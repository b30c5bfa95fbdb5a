// A host that sends alerts to one chat until it is killed. Its clock may be ahead.
import { alipayWallet } from "@tillkit/alipay";
import type { Clock } from "@tillkit/core";
import { createTillkit, slackChannel } from "@tillkit/host";
import { pgClient, postgresStores } from "@tillkit/postgres";
import { noopObserver, systemClock, systemRandom as random } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import pg from "pg";

const KEY = { version: 1, key: new Uint8Array(32).fill(7) };
const setting = (name: string): string => process.env[name] ?? "";
const ahead = Number(setting("CLOCK_AHEAD_MS"));
const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead };
const pool = new pg.Pool({ connectionString: setting("DATABASE_URL") });

createTillkit({
  stores: postgresStores({ sql: pgClient(pool), schema: "tillkit", credentialKeys: [KEY] }),
  wallets: { WALLET_A: wechatPayWallet({ clock, random }), WALLET_B: alipayWallet({ clock }) },
  publicUrl: "https://pay.example.com",
  keyring: { peppers: [KEY] },
  observer: noopObserver,
  alerts: [slackChannel({ url: setting("CHAT_URL"), timeoutMs: 20_000 })],
  background: { alertsEveryMs: 50 },
  clock,
}).start();
process.stdout.write("started\n");
