import type { PayPayload, Wallet, WalletFailure } from "@tillkit/core";
import { errAsync, okAsync } from "neverthrow";
import type { Desk } from "./desk.js";
import type { FaultBoard } from "./faults.js";
import { faulty, refusal } from "./faulty.js";

/**
 * The wallet, with every payload that it signs alone handed to the customer's phone. WALLET_B opens a payment in an app or a browser without
 * being asked first, so that only this way can a customer come with no more than the number of an order. The fault `prepay` strikes such a
 * payload, too.
 */
export function observed(
  wallet: Wallet,
  desk: Pick<Desk, "receive">,
  faults: Pick<FaultBoard, "takeCall">,
): Wallet {
  return {
    ...wallet,
    payload: (account, request, prepayment, at) => {
      if (wallet.localPrepayment(account, request, at) === undefined)
        return wallet.payload(account, request, prepayment, at);
      // Signing goes over no network, so that there is nothing to wait for.
      return faulty<PayPayload>(
        faults.takeCall("walletB", "prepay"),
        () => Promise.resolve(),
        () => wallet.payload(account, request, prepayment, at).andThen((payload) => received(desk, payload)),
      );
    },
  };
}

function received(desk: Pick<Desk, "receive">, payload: PayPayload) {
  if (!("pay_url" in payload || "biz_content" in payload)) return okAsync<PayPayload, WalletFailure>(payload);
  const shown = "pay_url" in payload ? payload : { ...payload };
  return desk.receive(shown).match(
    () => okAsync<PayPayload, WalletFailure>(payload),
    // A payload that no customer can use is a defect of whoever signed it: say so where it is made.
    ({ error }) => errAsync<PayPayload, WalletFailure>(refusal("other", error)),
  );
}
