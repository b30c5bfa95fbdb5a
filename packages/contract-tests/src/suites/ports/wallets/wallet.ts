import { PAY_SOURCES, type PaySource } from "@tillkit/core";
import { describe } from "vitest";
import { type Opened, openBeforeEach } from "../../../support/open-before-each.js";
import { walletAccount } from "./wallet-account.js";
import { walletDeadlines } from "./wallet-deadlines.js";
import { walletEvidence } from "./wallet-evidence.js";
import { walletFreshness } from "./wallet-freshness.js";
import { walletNotifications } from "./wallet-notifications.js";
import { walletPayer } from "./wallet-payer.js";
import { walletPayload } from "./wallet-payload.js";
import { walletPrepare } from "./wallet-prepare.js";
import { walletQueries } from "./wallet-queries.js";
import { walletRefunds } from "./wallet-refunds.js";
import type { WalletHarness } from "../../../support/wallet/wallet-harness.js";
import { walletTexts } from "./wallet-texts.js";
import { walletFixture } from "../../../support/wallet/wallet-fixture.js";

export type { FaultyCall, FaultKind, WalletHarness } from "../../../support/wallet/wallet-harness.js";

/** Features that an adapter may lack. */
export interface WalletContractOptions {
  /** How the wallet can open payments. Defaults to all sources. */
  readonly paySources?: readonly PaySource[];
}

/**
 * Tests every requirement of `Wallet` for one adapter.
 *
 * @param open - Returns a wallet without orders, whose notifications only `notifications()`
 *   returns. It is called before each test.
 * @example
 * ```ts
 * import { walletContract } from "@tillkit/contract-tests";
 * import { openMyWallet } from "./my-adapter.js";
 *
 * walletContract("my wallet", openMyWallet, { paySources: ["APP", "H5"] });
 * ```
 */
export function walletContract(
  adapter: string,
  open: () => Promise<Opened<WalletHarness>>,
  { paySources = PAY_SOURCES }: WalletContractOptions = {},
): void {
  describe(`Wallet contract: ${adapter}`, () => {
    const fixture = walletFixture(openBeforeEach(open));
    walletAccount(fixture);
    walletPrepare(fixture);
    walletPayload(fixture, paySources);
    walletFreshness(fixture);
    if (paySources.includes("JSAPI")) walletPayer(fixture);
    walletQueries(fixture);
    walletRefunds(fixture);
    walletEvidence(fixture);
    walletNotifications(fixture);
    walletDeadlines(fixture);
    walletTexts(fixture, paySources);
  });
}
