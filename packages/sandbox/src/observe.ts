import type { PayPayload, Wallet, WalletFailure } from "@tillkit/core";
import { errAsync, okAsync, type ResultAsync } from "neverthrow";
import type { Desk } from "./desk.js";
import type { FaultBoard } from "./faults.js";
import { faulty } from "./faulty.js";

/**
 * The wallet, with every payload that it signs alone for a DEV account handed to the customer's phone. WALLET_B opens a payment in an app or a
 * browser without being asked first, so that only this way can a customer come with no more than the number of an order. The fault `prepay`
 * strikes such a payload, too. What is PROD passes as it is.
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
    // A payload that no customer can use is a defect of whoever signed it: say so where it is made.
    ({ error }) => errAsync({ name: "wallet.rejected", reason: "other", proven: true, detail: error }),
  );
}
