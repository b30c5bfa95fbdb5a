import assert from "node:assert/strict";
import type { LocalService } from "./local-service.js";

/** Actions outside the backend: the customer pays, and WALLET_A fails. */
export interface SandboxCustomer {
  pay(outTradeNo: string): Promise<void>;
  /** Makes WALLET_A fail its next prepayments. `null` ends the failure. */
  breakWalletA(fault: "reset-after" | "500" | null): Promise<void>;
  /** Returns how many prepayments the wallet created for the order. */
  prepayCount(outTradeNo: string): Promise<number>;
}

/** Performs these actions through the sandbox of the host. */
export function sandboxCustomer({
  control,
  sandbox,
}: Pick<LocalService, "control" | "sandbox">): SandboxCustomer {
  async function post(call: string, body: object): Promise<void> {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${control}/${call}`, init);
    assert.ok(response.ok, `${call}: ${await response.text()}`);
  }
  return {
    pay: (outTradeNo) => post("pay", { outTradeNo }),
    breakWalletA: (prepay) => post("faults", { walletA: { prepay } }),
    prepayCount: async (outTradeNo) =>
      sandbox.simulatorControls.order(outTradeNo).unwrapOr({ prepayCount: 0 }).prepayCount,
  };
}
