import type { PayChannel } from "@tillkit/core";
import type { Environment } from "./environment.js";
import type { PlannedFault } from "./month-plan.js";

/** Returns the name of a wallet in the simulators' control interface. */
export function walletName(payChannel: PayChannel): "walletA" | "walletB" {
  return payChannel === "WALLET_A" ? "walletA" : "walletB";
}

const EVERY_CALL = ["prepay", "query", "close", "refund", "refundQuery", "bill"] as const;
const ORDER_CALLS = ["prepay", "query", "close"] as const;
const REFUND_CALLS = ["refund", "refundQuery"] as const;

type Setting = Readonly<Record<string, string>>;

function each(calls: readonly string[], fault: string): Setting {
  return Object.fromEntries(calls.map((call) => [call, fault]));
}

/** The settings of each fault, except the faults of money, which {@link setFault} sets itself. */
const SETTINGS: Readonly<Record<Exclude<PlannedFault["kind"], "no-money" | "unsettled-money">, Setting>> = {
  outage: each(EVERY_CALL, "reset"),
  "rate-limit": each([...REFUND_CALLS, "query"], "429"),
  "server-error": each([...ORDER_CALLS, ...REFUND_CALLS], "500-after"),
  "lost-answers": each([...ORDER_CALLS, ...REFUND_CALLS], "reset-after"),
  "bad-signature": each([...ORDER_CALLS, ...REFUND_CALLS], "bad-signature"),
  "half-answers": each([...ORDER_CALLS, ...REFUND_CALLS], "truncated"),
  "lost-notifications": { notify: "drop" },
  "late-notifications": { notify: "late" },
  "double-notifications": { notify: "concurrent" },
  "reordered-notifications": { notify: "reorder" },
  "revoked-key": { merchant: "revoked-key" },
  disabled: { merchant: "disabled" },
  "bill-late": { billFile: "not-ready" },
  "bill-unreadable": { billFile: "unreadable-line" },
  "bill-foreign": { billFile: "extra-line" },
  "bill-incomplete": { billFile: "missing-line" },
  "bill-wrong": { billFile: "wrong-amount" },
  "bill-cut": { billFile: "cut" },
  "flow-late": { flowFile: "not-ready" },
  "flow-wrong": { flowFile: "wrong-fee" },
};

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
    case "unsettled-money":
      return payChannel === "WALLET_A"
        ? environment.control("/refunds", { walletA: { unsettled: begins } })
        : undefined;
    default: {
      const setting = SETTINGS[kind];
      const ended = Object.fromEntries(Object.keys(setting).map((name) => [name, null]));
      return environment.control("/faults", { [wallet]: begins ? setting : ended });
    }
  }
}

/** Ends every fault at both wallets. */
export async function endFaults(environment: Environment): Promise<void> {
  await environment.control("/faults", { walletA: null, walletB: null });
  await environment.control("/funds", { walletA: null, walletB: null });
  await environment.control("/refunds", { walletA: null, walletB: null });
  // The line above removed this rule of WALLET_A too, and it holds all month.
  await environment.control("/refunds", { walletA: { oneAMinute: true } });
}
