import {
  configurePayTool,
  createOrder,
  createOrderInput,
  orThrow,
  PAY_CHANNELS,
  type PayChannel,
  parseInput,
  receiveNotification,
} from "@tillkit/core";
import { memoryPorts, memoryWallet } from "@tillkit/memory";
import { pgClient, postgresStores } from "@tillkit/postgres";
import { systemClock } from "@tillkit/runtime";
import pg from "pg";
import { CONNECTIONS } from "../load/load.js";
import type { Shop } from "./open-shop.js";
import { POOL_MAX, SCHEMA } from "./shop-facts.js";

/** The number of customers, who buy in random order. */
const CUSTOMERS = 10_000;
/** How many orders are created before their payments arrive. */
const UNPAID = 1_000;
/**
 * The factor by which a table grows until the next vacuum, like `autovacuum_vacuum_scale_factor`.
 *
 * The row runs `vacuum` itself, because the time of an automatic vacuum depends on the machine.
 */
const VACUUM_FACTOR = 1.2;

/** Creates and pays orders in this process, with wallets in memory and the stores of a shop. */
export interface PaidOrders {
  /** Creates `count` orders, and pays a thousand at a time. */
  readonly fill: (count: number) => Promise<void>;
  /** Creates and pays one order. */
  readonly once: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens {@link PaidOrders} for the app of `shop`, which accepts both wallets from then on. */
export async function openPaidOrders({ facts }: Pick<Shop, "facts">): Promise<PaidOrders> {
  const sql = pgClient(new pg.Pool({ connectionString: facts.databaseUrl, max: POOL_MAX }));
  const key = { version: 1, key: Buffer.from(facts.credentialKey, "base64") };
  const ports = {
    ...memoryPorts(),
    ...postgresStores({ sql, schema: SCHEMA, credentialKeys: [key] }),
    clock: systemClock,
    wallets: { WALLET_A: memoryWallet("WALLET_A"), WALLET_B: memoryWallet("WALLET_B") },
  };
  for (const payChannel of PAY_CHANNELS) {
    const account = { accountId: "1900000109", walletAppId: "wx8888888888888888", appEnv: "DEV" } as const;
    const app = { appName: "Bench", appPackageName: "example.bench", appSignature: "" };
    const tool = { payChannel, ...account, ...app, credentials: {} };
    await orThrow(configurePayTool(ports, facts.appId, tool));
  }
  let made = 0;

  /** Creates the next order. The two wallets take turns. */
  const create = async () => {
    made += 1;
    const payChannel: PayChannel = made % 2 === 0 ? "WALLET_A" : "WALLET_B";
    const input = parseInput(createOrderInput(ports.policy), {
      bizNo: `20261123${String(made).padStart(10, "0")}`,
      customerIdentity: `customer-${String((made * 7_919) % CUSTOMERS).padStart(8, "0")}`,
      amount: 600 + (made % 1_000),
      goodsTitle: "30 days of membership",
      payChannel,
      sourceFrom: "store_01",
      attachData: `{"sku":"vip-${made % 50}"}`,
    });
    const created = await input.asyncAndThen((valid) => createOrder(ports, facts.appId, valid));
    return orThrow(created).order;
  };
  /** Pays an order: the wallet's notification arrives and is accepted. */
  const pay = async (order: Awaited<ReturnType<typeof create>>) => {
    const { id, payChannel, payToolId, notifyUrl } = order;
    const wallet = ports.wallets[payChannel];
    wallet.pay(id);
    const address = { payChannel, payToolId, orderRef: notifyUrl.split("/").at(-1) ?? "" };
    const received = await receiveNotification(ports, address, wallet.notificationFor(id));
    if (received.isErr()) throw new Error(`The payment was not accepted: ${received.error.name}`);
  };
  return {
    fill: async (count) => {
      let vacuumed = 0;
      for (let filled = 0; filled < count; filled += UNPAID) {
        if (filled > vacuumed * VACUUM_FACTOR) {
          await sql.script(`vacuum ${SCHEMA}.orders, ${SCHEMA}.timeline`);
          vacuumed = filled;
        }
        const unpaid = await concurrently(Array.from({ length: Math.min(UNPAID, count - filled) }), create);
        await concurrently(unpaid, pay);
      }
    },
    once: async () => pay(await create()),
    close: () => sql.close(),
  };
}

/** Runs `work` for each item, some of them concurrently. */
async function concurrently<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const waiting = items.values();
  const results: R[] = [];
  const worker = async (): Promise<void> => {
    for (const item of waiting) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return results;
}
