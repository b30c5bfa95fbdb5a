import { createHash } from "node:crypto";
import {
  configurePayTool,
  createApp,
  createDownloadsClient,
  createServiceType,
  PAY_CHANNELS,
  parseInput,
  type Random,
  refundOrder,
  refundOrderInput,
} from "@tillkit/core";
import { memoryPorts, type MemoryPorts } from "@tillkit/memory";
import type { Result, ResultAsync } from "neverthrow";

const MONTH = 30 * 24 * 60 * 60_000;

/** A host in memory with one app. Its answers are the same at every run. */
export interface ExampleShop {
  readonly ports: MemoryPorts;
  readonly credentials: { readonly app_id: string; readonly app_secret: string };
  /** The id of a client of the downloads API. */
  readonly clientId: string;
  /** Refunds a part of a paid order, in cents. */
  refund(bizNo: string, amount: number): Promise<void>;
}

/** The service type of the shop. */
export const SERVICE_TYPE = "member-month";

/** Opens the shop: an app with both channels, a service type, and download counts of two stores. */
export async function openExampleShop(): Promise<ExampleShop> {
  const ports = memoryPorts({ random: countingRandom() });
  const { app, appSecret } = await value(createApp(ports, { name: "Example", accountBased: true }));
  const { appId } = app;
  for (const payChannel of PAY_CHANNELS)
    await value(
      configurePayTool(ports, appId, {
        accountId: payChannel === "WALLET_A" ? "1900000001" : "2088000000000001",
        walletAppId: payChannel === "WALLET_A" ? "wx0000000000000001" : "2021000000000001",
        payChannel,
        appEnv: "PROD",
        appName: "Example",
        appPackageName: "com.example.app",
        appSignature: "0123456789abcdef0123456789abcdef",
        credentials: { key: "in memory, any key is accepted" },
      }),
    );
  const serviceType = { serviceTypeNo: SERVICE_TYPE, serviceName: "Membership", durationMs: MONTH };
  await value(createServiceType(ports, appId, serviceType));
  const { clientId } = await value(
    createDownloadsClient(ports, { appId, dailyLimit: 100, clientId: "dlc_example_client" }),
  );
  const counts = ["store_01", "store_02"].flatMap((store, index) =>
    ["2026-01-12", "2026-01-13"].map((date, day) => ({
      appId,
      store,
      date,
      newDownloads: 10 + index + day,
      updateDownloads: 20 + index + day,
    })),
  );
  await value(ports.downloads.upsert([counts]));
  return {
    ports,
    credentials: { app_id: appId, app_secret: appSecret },
    clientId,
    refund: async (bizNo, amount) => {
      const raw = {
        bizNo,
        refundNo: `${bizNo}-return`,
        amount,
        reason: "one item returned",
        operator: "alex",
      };
      const input = parseInput(refundOrderInput(ports.policy), raw);
      await value(input.asyncAndThen((valid) => refundOrder(ports, appId, valid)));
    },
  };
}

/** Creates bytes from a counter, so that every run creates the same ids. */
function countingRandom(): Random {
  let calls = 0;
  return {
    bytes: (count) => {
      calls += 1;
      const bytes = createHash("shake256", { outputLength: count }).update(String(calls)).digest();
      return Uint8Array.from(bytes);
    },
  };
}

async function value<T, E>(result: ResultAsync<T, E> | Promise<Result<T, E>>): Promise<T> {
  return (await result).match(
    (found) => found,
    (failure) => {
      throw new Error(`The example shop failed: ${JSON.stringify(failure)}`);
    },
  );
}
