import { memoryWallet } from "@tillkit/memory";
import { ok } from "neverthrow";
import { z } from "zod";
import type { OpenWallets } from "../wallets.js";
import type { Place } from "./cli.js";

/** Creates in-memory wallets, new ones for every run of the program. */
export const wallets: OpenWallets = ({ clock }) =>
  ok({ WALLET_A: memoryWallet("WALLET_A", clock), WALLET_B: memoryWallet("WALLET_B", clock) });

/** A file for `pay-tools set` whose credentials contain the word s3cret. */
export const TOOL = JSON.stringify({
  payChannel: "WALLET_A",
  accountId: "m-1",
  walletAppId: "wx-1",
  appEnv: "DEV",
  credentials: { privateKey: "s3cret" },
});

const created = z.object({ app: z.object({ appId: z.string() }) });

/** Registers an app and returns its id. */
export async function newApp(ask: Place["ask"]): Promise<string> {
  return created.parse(await ask(["apps", "create", "--name", "Notes"])).app.appId;
}
