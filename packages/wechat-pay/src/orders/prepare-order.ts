import type { Clock, PaySource, Prepayment, Wallet, WalletAccount, WalletFailure } from "@tillkit/core";
import type { PaymentRequest } from "@tillkit/core/ports";
import { readJson, walletText } from "@tillkit/wallet-kit";
import { err, errAsync, ok, type Result } from "neverthrow";
import * as z from "zod";
import type { CallGateway } from "../gateway/call-gateway.js";
import { notSentRefusal } from "../gateway/read-refusal.js";
import { rfc3339 } from "../times.js";
import { unreadableResponse } from "../gateway/unreadable-response.js";
import { payerAddress, type PayerAddressSource } from "./payer-address.js";
import { merchantMembers, ordersPath } from "../credentials/signing-account.js";
import { optionMembers } from "./request-options.js";

const MINUTE = 60_000;
const text = z.string().min(1);

/** How to create an order for one `paySource`. */
interface PaymentApi {
  readonly path: string;
  /** Reads the values of the prepayment from the response. */
  readonly answer: z.ZodType<Prepayment["values"]>;
  /**
   * Milliseconds for which the values are reused. Must not exceed their validity at WeChat Pay.
   *
   * Until then, a repeated creation requests no new values: `paymentPayload` signs these again.
   */
  readonly lifetime: number;
}

const PAYMENT_APIS: Readonly<Record<Exclude<PaySource, "PC">, PaymentApi>> = {
  APP: { path: "app", answer: z.object({ prepay_id: text }), lifetime: 110 * MINUTE },
  NATIVE: { path: "native", answer: z.object({ code_url: text }), lifetime: 110 * MINUTE },
  JSAPI: { path: "jsapi", answer: z.object({ prepay_id: text }), lifetime: 110 * MINUTE },
  // A page is valid for 5 minutes, but only for the IP address in the request. It is reused for a
  // short time only, so that a customer whose address changed gets a new page.
  H5: { path: "h5", answer: z.object({ h5_url: text }), lifetime: 10_000 },
};

/** In UTF-8 bytes. The documentation says characters, but WeChat Pay's refusals count bytes. */
const MAX_DESCRIPTION = 127;

const NO_PAGE = notSentRefusal(
  "configuration",
  "WeChat Pay has no page for desktop browsers; nothing was sent",
);
const NO_PAYER = notSentRefusal(
  "configuration",
  "JSAPI needs payerId, the customer's openid; nothing was sent",
);

/**
 * Creates the function that registers an order at WeChat Pay.
 *
 * All values come from the request, so a retry sends the same order.
 */
export function prepareOrder(
  call: CallGateway,
  clock: Pick<Clock, "now">,
  addresses: PayerAddressSource,
): Wallet["prepare"] {
  return (account, request, limits) => {
    if (request.paySource === "PC") return errAsync(NO_PAGE);
    const { path, answer, lifetime } = PAYMENT_APIS[request.paySource];
    const issuedAt = clock.now();
    return orderText(account, request, issuedAt, addresses)
      .asyncAndThen((body) =>
        call(account, { method: "POST", path: `${ordersPath(account)}/${path}`, body }, limits),
      )
      .mapErr((failure) => withoutPayer(failure, request))
      .andThen((body): Result<Prepayment, WalletFailure> => {
        const values = readJson(answer, body);
        if (values === undefined) return err(unreadableResponse("prepayment"));
        return ok({ issuedAt, validUntil: Math.min(issuedAt + lifetime, request.expiresAt), values });
      });
  };
}

function orderText(
  account: WalletAccount,
  request: PaymentRequest,
  now: number,
  addresses: PayerAddressSource,
): Result<string, WalletFailure> {
  const { outTradeNo, amount, goodsTitle, notifyUrl, expiresAt } = request;
  // WeChat Pay would move a past expiry into the future and accept the payment.
  if (Math.floor(expiresAt / 1000) * 1000 <= now)
    return err(notSentRefusal("closed", "the order has expired; nothing was sent"));
  return sourceFields(account, request, addresses).map((fields) =>
    JSON.stringify({
      ...appNames(account),
      ...merchantMembers(account),
      description: walletText(goodsTitle, { maxBytes: MAX_DESCRIPTION, fallback: outTradeNo }),
      out_trade_no: outTradeNo,
      time_expire: rfc3339(expiresAt),
      notify_url: notifyUrl,
      amount: { total: amount, currency: "CNY" },
      ...optionMembers(request),
      ...fields,
    }),
  );
}

/**
 * Returns the members that name the app of an order.
 *
 * `sub_appid` is the app in which the customer pays, unless that is the provider's own app.
 */
function appNames({ walletAppId, provider }: WalletAccount): Readonly<Record<string, string>> {
  if (provider === undefined) return { appid: walletAppId };
  const { walletAppId: sp_appid } = provider;
  return walletAppId === sp_appid ? { sp_appid } : { sp_appid, sub_appid: walletAppId };
}

// An openid belongs to one app.
function payerName({ walletAppId, provider }: WalletAccount): string {
  if (provider === undefined) return "openid";
  return walletAppId === provider.walletAppId ? "sp_openid" : "sub_openid";
}

/** Returns the fields that an order needs for its `paySource` only. */
function sourceFields(
  account: WalletAccount,
  request: PaymentRequest,
  addresses: PayerAddressSource,
): Result<object, WalletFailure> {
  const { paySource, payerId } = request;
  if (paySource === "JSAPI" && payerId === undefined) return err(NO_PAYER);
  const payer = paySource === "JSAPI" ? { payer: { [payerName(account)]: payerId } } : {};
  return sceneOf(account, request, addresses).map((scene_info) =>
    scene_info === undefined ? payer : { ...payer, scene_info },
  );
}

/** Returns `scene_info`, which states where the customer pays, or `undefined` if not needed. */
function sceneOf(
  account: WalletAccount,
  request: PaymentRequest,
  addresses: PayerAddressSource,
): Result<object | undefined, WalletFailure> {
  const { paySource, options: { scene_info: scene } = {} } = request;
  if (paySource !== "H5" && scene === undefined) return ok(undefined);
  // WeChat Pay takes no scene without the address.
  return payerAddress(addresses, account, request).map((payer_client_ip) => ({
    payer_client_ip,
    store_info: scene?.store_info,
    ...(paySource === "H5" ? { h5_info: { type: "Wap" } } : {}),
  }));
}

// WeChat Pay may quote the openid in a refusal, which Tillkit stores in the timeline of the order.
function withoutPayer<F extends WalletFailure>(failure: F, { payerId }: PaymentRequest): F {
  if (payerId === undefined) return failure;
  return { ...failure, detail: failure.detail.replaceAll(payerId, "(the payer)") };
}
