import type { Ports } from "@tillkit/core";
import { err, type Result } from "neverthrow";
import { type CliFailure, failure } from "./failure.js";

/** Makes the wallets that commands talk to, or says why there are none. */
export type OpenWallets = (ports: Pick<Ports, "clock">) => Result<Ports["wallets"], CliFailure>;

/** The wallets this program brings along. */
export const installedWallets: OpenWallets = () =>
  err(
    failure(
      "unavailable",
      "wallets.not-installed",
      "This version brings no adapter for WALLET_A and WALLET_B. Call `run` of this package with an `openWallets` of your own.",
    ),
  );
