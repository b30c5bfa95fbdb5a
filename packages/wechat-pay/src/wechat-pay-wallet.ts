import type { Clock, NotificationAnswer, Random, Wallet } from "@tillkit/core";
import { inFlight } from "@tillkit/wallet-kit";
import { readBill, readFundFlow, type ReadBillOptions } from "./bills/read-bill.js";
import { platformCertificates } from "./certificates/platform-certificates.js";
import { checkWechatPayAccount } from "./credentials/check-account.js";
import { credentialExpiries } from "./credentials/credential-expiries.js";
import { credentialsCache } from "./credentials/credentials-cache.js";
import { apiCaller } from "./gateway/call-api.js";
import { type GatewayOptions, openGateways } from "./gateway/gateways.js";
import { fileOpener } from "./gateway/open-file.js";
import { notificationReader } from "./notifications/read-notification.js";
import { closeOrder } from "./orders/close-order.js";
import { paymentPayload } from "./orders/payment-payload.js";
import type { PayerClientIp } from "./orders/payer-address.js";
import { prepareOrder } from "./orders/prepare-order.js";
import { queryOrder } from "./orders/query-order.js";
import { applyAbnormalRefund } from "./refunds/apply-abnormal-refund.js";
import { queryRefund, refundOrder } from "./refunds/refund-order.js";

/** What WeChat Pay is reached with. */
export interface WechatPayOptions extends GatewayOptions {
  /** Dates requests and judges how fresh answers are: keep the machine's clock right. */
  readonly clock: Pick<Clock, "now">;
  /** Makes the nonces of requests. */
  readonly random: Random;
  /**
   * Gives the IP address of the customer who will pay, for orders with `paySource` `H5`.
   *
   * It is called while the order is made, in the asynchronous context of the caller. Without an address the order is
   * rejected, and nothing is sent. A PROD account takes only addresses of the public internet.
   */
  readonly payerClientIp?: PayerClientIp;
  /** How callers send that address, such as the name of a request header: 10015 names it. Default `payerClientIp`. */
  readonly payerClientIpName?: string;
  /** Calls of one merchant that may be in flight. Default 64. */
  readonly maxInFlight?: number;
  /** Calls of one merchant that may wait for their turn; one more is `wallet.unknown` with the cause `busy`, and nothing is sent. Default 256. */
  readonly maxWaiting?: number;
  /** The longest answer that is read, in bytes. Default 262 144. */
  readonly maxAnswerBytes?: number;
  /** The longest bill that is read, in bytes of its text. Default 1 GiB, which is about three million lines. */
  readonly maxBillBytes?: number;
}

const CACHED_ACCOUNTS = 256;
const KIBIBYTE = 1024;
const GIBIBYTE = KIBIBYTE ** 3;

/**
 * WALLET_A: WeChat Pay, API v3. Every answer and notification is verified before it is believed; a call ends within its deadline and follows no redirect.
 * Throws for a gateway that could not be trusted.
 */
export function wechatPayWallet(options: WechatPayOptions): Wallet {
  const { clock, random } = options;
  const { payerClientIp = () => undefined, payerClientIpName = "payerClientIp" } = options;
  const {
    maxInFlight = 64,
    maxWaiting = 256,
    maxAnswerBytes = 256 * KIBIBYTE,
    maxBillBytes = GIBIBYTE,
  } = options;
  const gatewayOf = openGateways(options, clock);
  const readCredentials = credentialsCache(CACHED_ACCOUNTS);
  const calls = inFlight(maxInFlight, maxWaiting);
  const platform = platformCertificates({ clock, random, gatewayOf, maxAnswerBytes });
  const api = { clock, random, gatewayOf, readCredentials, inFlight: calls, maxAnswerBytes, platform };
  const call = apiCaller(api);
  const query = queryOrder(call);
  const bills: ReadBillOptions = { call, openFile: fileOpener(api), clock, maxBillBytes };
  return {
    payChannel: "WALLET_A",
    checkAccount: async (account) => [
      ...(gatewayOf(account) === undefined ? [NO_SANDBOX] : []),
      ...(await checkWechatPayAccount(account, clock.now())),
    ],
    credentialExpiries: credentialExpiries(readCredentials, platform),
    localPrepayment: () => undefined,
    prepare: prepareOrder(call, clock, { payerClientIp, payerClientIpName }),
    payload: paymentPayload(readCredentials),
    query,
    close: closeOrder(call, query, clock),
    refund: refundOrder(call),
    queryRefund: queryRefund(call),
    applyAbnormalRefund: applyAbnormalRefund(call, readCredentials, platform),
    readBill: readBill(bills),
    readFundFlow: readFundFlow(bills),
    readNotification: notificationReader(readCredentials, platform),
    answer: (taken) => (taken ? TAKEN : NOT_TAKEN),
  };
}

const NO_SANDBOX = "appEnv is DEV, and the host has no gateways.DEV; WeChat Pay itself serves PROD only";

const TAKEN: NotificationAnswer = { status: 204, contentType: "application/json", body: "" };
const NOT_TAKEN: NotificationAnswer = {
  status: 401,
  contentType: "application/json",
  body: JSON.stringify({ code: "FAIL", message: "not taken" }),
};
