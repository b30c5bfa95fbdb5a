import type { Wallet, WalletFailure } from "@tillkit/core";
import type { RefundPayout } from "@tillkit/core/ports";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { PlatformCertificates } from "../certificates/platform-certificates.js";
import type { ReadCredentials } from "../credentials/credentials-cache.js";
import { problemsText } from "../credentials/credential-problem.js";
import type { CallGateway } from "../gateway/call-gateway.js";
import type { GatewayRequest } from "../gateway/send-signed.js";
import { notSentRefusal } from "../gateway/read-refusal.js";
import { encryptField, type FieldKey, fieldKey } from "./encrypt-field.js";
import { statedRefund } from "./refund-order.js";
import { signingAccount, subMerchant } from "../credentials/signing-account.js";

/**
 * Creates the function that pays out an ABNORMAL refund to a bank card.
 *
 * Card number and name leave the process only in encrypted form.
 */
export function applyAbnormalRefund(
  call: CallGateway,
  readCredentials: ReadCredentials,
  platform: Pick<PlatformCertificates, "downloaded">,
): Wallet["applyAbnormalRefund"] {
  return (account, { refundNo, walletRefundNo }, payout, limits) =>
    new ResultAsync(
      Promise.resolve(
        readCredentials(signingAccount(account))
          .mapErr((problems): WalletFailure => notSentRefusal("configuration", problemsText(problems)))
          .andThen((read) => {
            const key = fieldKey(read.platformKeys, platform.downloaded(signingAccount(account), read));
            return payoutRequest(
              { ...subMerchant(account), out_refund_no: refundNo },
              walletRefundNo,
              payout,
              key,
            );
          }),
      ),
    )
      .andThen((request) => call(account, request, limits))
      .andThen((answer) => statedRefund(answer, account))
      .mapErr((failure) => ({ ...failure, detail: withoutPayee(failure.detail, payout) }));
}

function payoutRequest(
  refund: Readonly<Record<string, string>>,
  walletRefundNo: string,
  payout: RefundPayout,
  key: FieldKey | undefined,
): Result<GatewayRequest, WalletFailure> {
  const path = `/v3/refund/domestic/refunds/${encodeURIComponent(walletRefundNo)}/apply-abnormal-refund`;
  const request = (body: object, serial: object = {}): GatewayRequest => ({
    method: "POST",
    path,
    body: JSON.stringify({ ...refund, ...body }),
    movesMoney: true,
    ...serial,
  });
  if (payout.to === "merchant") return ok(request({ type: "MERCHANT_BANK_CARD" }));
  if (key === undefined)
    return err(notSentRefusal("configuration", "platformKeys hold no key to encrypt the card with"));
  const { bankType, bankAccount, realName } = payout;
  const payee = {
    type: "USER_BANK_CARD",
    bank_type: bankType,
    bank_account: encryptField(key, bankAccount),
    real_name: encryptField(key, realName),
  };
  return ok(request(payee, { platformKeyId: key.id }));
}

/** A refusal may quote the sent values. */
function withoutPayee(detail: string, payout: RefundPayout): string {
  if (payout.to === "merchant") return detail;
  return detail.replaceAll(payout.bankAccount, "(card)").replaceAll(payout.realName, "(name)");
}
