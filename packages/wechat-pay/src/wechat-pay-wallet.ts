import type { Clock, Observer, Random, Wallet } from "@tillkit/core";
import type { AccountProblem, NotificationAnswer } from "@tillkit/core/ports";
import { clockMeter, createKeyedLimiter, type RequestHeaders } from "@tillkit/wallet-kit";
import { readBill } from "./bills/read-bill.js";
import { readFundFlow } from "./bills/read-fund-flow.js";
import type { ReadBillOptions } from "./bills/download-bill.js";
import { platformCertificates } from "./certificates/platform-certificates.js";
import { checkWechatPayAccount } from "./credentials/check-account.js";
import { credentialExpiries } from "./credentials/credential-expiries.js";
import { CREDENTIAL_NAMES } from "./credentials/credential-problem.js";
import { credentialsCache } from "./credentials/credentials-cache.js";
import { gatewayCaller } from "./gateway/call-gateway.js";
import { type GatewayOptions, openGateways, openMiniProgramGateways } from "./gateway/gateways.js";
import { fileOpener } from "./gateway/open-file.js";
import { miniProgramCaller } from "./mini-program/call-mini-program.js";
import { miniProgramShipments } from "./mini-program/report-shipments.js";
import { notificationReader } from "./notifications/read-notification.js";
import { closeOrder } from "./orders/close-order.js";
import { paymentPayload } from "./orders/payment-payload.js";
import type { PayerClientIp } from "./orders/payer-address.js";
import { prepareOrder } from "./orders/prepare-order.js";
import { queryOrder } from "./orders/query-order.js";
import { applyAbnormalRefund } from "./refunds/apply-abnormal-refund.js";
import { describeRefund, queryRefund, refundOrder } from "./refunds/refund-order.js";

/** Options of {@link wechatPayWallet}. */
export interface WechatPayWalletOptions extends GatewayOptions {
  /** Sets the time of requests and checks that of responses. The system clock must be correct. */
  readonly clock: Pick<Clock, "now">;
  /** Creates the nonces of requests. */
  readonly random: Random;
  /**
   * Returns the customer's IP address, for `H5` orders and for orders with the option `scene_info`.
   *
   * The adapter calls it while the order is created, in the asynchronous context of the caller.
   * If there is no address, the adapter refuses the order and sends nothing. A PROD account accepts
   * only public addresses.
   */
  readonly payerClientIp?: PayerClientIp;
  /**
   * How callers send the customer's address, such as the name of a request header.
   *
   * The error 10015 (`payer-address.invalid`) contains this name. Defaults to `payerClientIp`.
   */
  readonly payerClientIpName?: string;
  /**
   * Returns headers that are added to each call, for example those of a trace.
   *
   * They are not signed, and they never replace a header that the adapter sets. The adapter calls
   * the function in the asynchronous context of the caller. Downloads of certificates and bill
   * files do not have these headers.
   */
  readonly requestHeaders?: RequestHeaders;
  /**
   * Receives events about the host's clock and about new certificates of WeChat Pay.
   *
   * Pass the observer of the host. The calls themselves are reported by `@tillkit/core`.
   */
  readonly observer?: Observer;
  /**
   * Maximum number of concurrent calls of this process per merchant. Defaults to 64.
   *
   * The merchants of one service provider share one limit. Each mini-program has a separate limit
   * of the same size.
   */
  readonly maxConcurrent?: number;
  /**
   * Maximum number of waiting calls, counted like `maxConcurrent`. Defaults to 256.
   *
   * Further calls fail with `wallet.unknown` and the cause `busy`, and nothing is sent.
   */
  readonly maxQueued?: number;
  /** Timeout for a download of WeChat Pay's certificates in milliseconds. Defaults to 5,000. */
  readonly certificateDeadline?: number;
  /** Maximum size of a response in bytes. Defaults to 262,144. */
  readonly maxAnswerBytes?: number;
  /** Maximum size of a bill in bytes of its text. Defaults to 1 GiB, about three million lines. */
  readonly maxBillBytes?: number;
}

const CACHED_ACCOUNTS = 256;
const KIBIBYTE = 1024;
const GIBIBYTE = KIBIBYTE ** 3;

/**
 * Creates the WALLET_A adapter for WeChat Pay API v3.
 *
 * The adapter verifies every notification, and every success response of WeChat Pay. Responses of
 * the mini-program API have no signature. Each call ends within its deadline and follows no
 * redirect.
 * Throws if a gateway address is missing or not secure.
 *
 * @returns the adapter, which calls WeChat Pay only when a method is called.
 * @example
 * ```ts
 * import { AsyncLocalStorage } from "node:async_hooks";
 * import { systemClock, systemRandom } from "@tillkit/runtime";
 * import { wechatPayWallet } from "@tillkit/wechat-pay";
 *
 * const addresses = new AsyncLocalStorage<string>();
 * const wallet = wechatPayWallet({
 *   clock: systemClock,
 *   random: systemRandom,
 *   payerClientIp: () => addresses.getStore(),
 * });
 * ```
 */
export function wechatPayWallet(options: WechatPayWalletOptions): Wallet {
  const { clock, random, observer, requestHeaders = () => ({}) } = options;
  const { payerClientIp = () => undefined, payerClientIpName = "payerClientIp" } = options;
  const {
    maxConcurrent = 64,
    maxQueued = 256,
    maxAnswerBytes = 256 * KIBIBYTE,
    maxBillBytes = GIBIBYTE,
    certificateDeadline = 5_000,
  } = options;
  const gatewayOf = openGateways(options);
  const readCredentials = credentialsCache(CACHED_ACCOUNTS);
  const calls = createKeyedLimiter(maxConcurrent, maxQueued);
  const platform = platformCertificates({
    clock,
    random,
    gatewayOf,
    maxAnswerBytes,
    certificateDeadline,
    observer,
  });
  const api = {
    clock,
    random,
    requestHeaders,
    gatewayOf,
    readCredentials,
    limiter: calls,
    maxAnswerBytes,
    platform,
    measureClock: clockMeter({ payChannel: "WALLET_A", clock, observer }),
  };
  const call = gatewayCaller(api);
  const query = queryOrder(call);
  const bills: ReadBillOptions = { call, openFile: fileOpener(api), readCredentials, clock, maxBillBytes };
  return {
    payChannel: "WALLET_A",
    credentialNames: CREDENTIAL_NAMES,
    checkAccount: async (account) => [
      ...(gatewayOf(account) === undefined ? [NO_GATEWAY] : []),
      ...(await checkWechatPayAccount(account, clock.now())),
    ],
    credentialExpiries: credentialExpiries(readCredentials, platform),
    localPrepayment: () => undefined,
    prepare: prepareOrder(call, clock, { payerClientIp, payerClientIpName }),
    payload: paymentPayload(readCredentials),
    query,
    close: closeOrder(call, query),
    refund: refundOrder(call, readCredentials),
    describeRefund: describeRefund(readCredentials),
    queryRefund: queryRefund(call),
    applyAbnormalRefund: applyAbnormalRefund(call, readCredentials, platform),
    readBill: readBill(bills),
    readFundFlow: readFundFlow(bills),
    readNotification: notificationReader(readCredentials, platform),
    shipments: miniProgramShipments(
      miniProgramCaller({
        gatewayOf: openMiniProgramGateways(options),
        limiter: calls,
        maxAnswerBytes,
        requestHeaders,
      }),
      clock,
    ),
    answer: (taken) => (taken ? TAKEN : NOT_TAKEN),
  };
}

const NO_GATEWAY: AccountProblem = {
  code: "no-gateway",
  field: "appEnv",
  message: {
    en: "appEnv is DEV, and gateways.DEV is not set (on the command line: TILLKIT_WALLET_A_GATEWAY); WeChat Pay itself serves PROD only",
    zh: "appEnv 为 DEV，但未设置 gateways.DEV（命令行：TILLKIT_WALLET_A_GATEWAY）；微信支付本身仅支持 PROD",
  },
};

const TAKEN: NotificationAnswer = { status: 204, contentType: "application/json", body: "" };
const NOT_TAKEN: NotificationAnswer = {
  status: 401,
  contentType: "application/json",
  body: JSON.stringify({ code: "FAIL", message: "not taken" }),
};
