import type { PayPayload, Wallet, WalletFailure } from "@tillkit/core";
import { errAsync, okAsync, type ResultAsync } from "neverthrow";
import type { SimulatorControls } from "./simulator-controls.js";
import type { FaultSettings } from "./faults.js";
import { callWithFault } from "./call-with-fault.js";

/**
 * Wraps an Alipay adapter so that the sandbox receives each payload that it signs for DEV.
 *
 * Alipay payments in an app or a browser start without a call to the wallet. With this wrapper a
 * test can open and pay such an order by its number. The fault `prepay` also applies to these
 * payloads. Payloads for other environments pass unchanged.
 */
export function observePayloads(
  wallet: Wallet,
  simulatorControls: Pick<SimulatorControls, "receive">,
  faults: Pick<FaultSettings, "takeCall">,
): Wallet {
  return {
    ...wallet,
    payload: (account, request, prepayment, at) => {
      const sign = () => wallet.payload(account, request, prepayment, at);
      const alone = wallet.localPrepayment(account, request, at) !== undefined;
      if (!alone || account.appEnv !== "DEV") return sign();
      return callWithFault(faults.takeCall("walletB", "prepay"), () =>
        sign().andThen((payload) => received(simulatorControls, payload)),
      );
    },
  };
}

function received(
  simulatorControls: Pick<SimulatorControls, "receive">,
  payload: PayPayload,
): ResultAsync<PayPayload, WalletFailure> {
  if (!("pay_url" in payload || "biz_content" in payload)) return okAsync(payload);
  const shown = "pay_url" in payload ? payload : { ...payload };
  return simulatorControls.receive(shown).match<ResultAsync<PayPayload, WalletFailure>>(
    () => okAsync(payload),
    // No customer can use this payload: the signer has a defect, so report it at the point of
    // signing.
    ({ message: detail }) => errAsync({ name: "wallet.rejected", reason: "other", trusted: true, detail }),
  );
}
