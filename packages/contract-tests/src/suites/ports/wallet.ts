import { PAY_SOURCES, type PaySource } from "@tillkit/core";
import { describe } from "vitest";
import { type Opened, opening } from "../../support/opening.js";
import { walletAccount } from "./wallet/wallet-account.js";
import { walletDeadlines } from "./wallet/wallet-deadlines.js";
import { walletEvidence } from "./wallet/wallet-evidence.js";
import { walletFreshness } from "./wallet/wallet-freshness.js";
import { walletNotifications } from "./wallet/wallet-notifications.js";
import { walletPayer } from "./wallet/wallet-payer.js";
import { walletPayload } from "./wallet/wallet-payload.js";
import { walletPrepare } from "./wallet/wallet-prepare.js";
import { walletQueries } from "./wallet/wallet-queries.js";
import { walletRefunds } from "./wallet/wallet-refunds.js";
import type { WalletStage } from "../../support/wallet/wallet-stage.js";
import { walletTexts } from "./wallet/wallet-texts.js";
import { walletWorld } from "../../support/wallet/wallet-world.js";

export type { SpoiltCall, SpoiltHow, WalletStage } from "../../support/wallet/wallet-stage.js";

/** Features that an adapter may lack. */
export interface WalletContractOptions {
  /** How the wallet can open payments. Defaults to all sources. */
  readonly paySources?: readonly PaySource[];
}

/**
 * Tests every promise of `Wallet` for one adapter.
 *
 * @param open - Returns a wallet without orders, whose notifications only `notifications()`
 *   returns. It is called before each test.
 */
export function walletContract(
  adapter: string,
  open: () => Promise<Opened<WalletStage>>,
  { paySources = PAY_SOURCES }: WalletContractOptions = {},
): void {
  describe(`Wallet contract: ${adapter}`, () => {
    const world = walletWorld(opening(open));
    walletAccount(world);
    walletPrepare(world);
    walletPayload(world, paySources);
    walletFreshness(world);
    if (paySources.includes("JSAPI")) walletPayer(world);
    walletQueries(world);
    walletRefunds(world);
    walletEvidence(world);
    walletNotifications(world);
    walletDeadlines(world);
    walletTexts(world, paySources);
  });
}
