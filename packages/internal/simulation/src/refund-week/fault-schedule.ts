import type { PayChannel } from "@tillkit/core";
import type { Environment } from "./environment.js";
import type { PlannedFault } from "./week-plan.js";

/** Returns the name of a wallet in the simulators' control interface. */
export function walletName(payChannel: PayChannel): "walletA" | "walletB" {
  return payChannel === "WALLET_A" ? "walletA" : "walletB";
}

const CALL_FAULTS = {
  "rate-limit": "429",
  "no-answer": "timeout",
  "server-error": "500-after",
  "bad-signature": "bad-signature",
} as const;

/** Starts or ends a fault at a wallet. */
export async function setFault(
  environment: Environment,
  { payChannel, kind }: PlannedFault,
  begins: boolean,
): Promise<void> {
  const wallet = walletName(payChannel);
  switch (kind) {
    case "no-money":
      return environment.control("/funds", { [wallet]: begins ? 0 : null });
    case "lost-notifications":
      return environment.control("/faults", { [wallet]: { notify: begins ? "drop" : null } });
    default: {
      const fault = begins ? CALL_FAULTS[kind] : null;
      return environment.control("/faults", { [wallet]: { refund: fault, refundQuery: fault } });
    }
  }
}
