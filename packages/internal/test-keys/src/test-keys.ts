import { fileURLToPath } from "node:url";
import { type SixPairs, storedPairs } from "./stored-pairs.js";

const pairsOf = (name: string): Promise<SixPairs> =>
  storedPairs(fileURLToPath(new URL(`../node_modules/.test-keys/${name}.json`, import.meta.url)));

/** Six different RSA-2048 pairs. */
export const rsaPairs = await pairsOf("pairs");

/** Returns the keys of a sandbox. */
const walletKeysOf = ([merchant, wallet, downloaded, app, walletB, retired]: SixPairs, apiV3Key: string) => ({
  walletA: { merchant, wallet, downloaded, apiV3Key },
  walletB: { app, wallet: walletB },
  retired,
});

/** The keys of a sandbox, made of {@link rsaPairs}. */
export const testWalletKeys = walletKeysOf(rsaPairs, "0123456789abcdef0123456789abcdef");

/** The keys of another sandbox. They have nothing in common with {@link testWalletKeys}. */
export const otherWalletKeys = walletKeysOf(await pairsOf("other-pairs"), "fedcba9876543210fedcba9876543210");
