import type { PayPayload, Wallet, WalletFailure } from "@tillkit/core";
import { errAsync, okAsync, type ResultAsync } from "neverthrow";
import type { Desk } from "./desk.js";
import type { FaultBoard } from "./faults.js";
import { faulty } from "./faulty.js";

/**
 * Wraps an Alipay adapter so that the sandbox receives each payload that it signs for DEV.
 *
 * Alipay payments in an app or a browser start without a call to the wallet. With this wrapper a
 * test can open and pay such an order by its number. The fault `prepay` also applies to these
 * payloads. Payloads for other environments pass unchanged.
 */
export function observed(
  wallet: Wallet,
  desk: Pick<Desk, "receive">,
  faults: Pick<FaultBoard, "takeCall">,
): Wallet {
  return {
    ...wallet,
    payload: (account, request, prepayment, at) => {
      const sign = () => wallet.payload(account, request, prepayment, at);
      const alone = wallet.localPrepayment(account, request, at) !== undefined;
      if (!alone || account.appEnv !== "DEV") return sign();
      return faulty(faults.takeCall("walletB", "prepay"), () =>
        sign().andThen((payload) => received(desk, payload)),
      );
    },
  };
}

function received(desk: Pick<Desk, "receive">, payload: PayPayload): ResultAsync<PayPayload, WalletFailure> {
  if (!("pay_url" in payload || "biz_content" in payload)) return okAsync(payload);
  const shown = "pay_url" in payload ? payload : { ...payload };
  return desk.receive(shown).match<ResultAsync<PayPayload, WalletFailure>>(
    () => okAsync(payload),
    // No customer can use this payload: the signer has a defect, so report it at the point of
    // signing.
    ({ error }) => errAsync({ name: "wallet.rejected", reason: "other", proven: true, detail: error }),
  );
}
