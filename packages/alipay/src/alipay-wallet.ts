import type { Clock, Observer, Wallet, WalletAccount, WalletFailure } from "@tillkit/core";
import type { NotificationRefusal } from "@tillkit/core/ports";
import { clockMeter, createKeyedLimiter, type RequestHeaders } from "@tillkit/wallet-kit";
import { ok, ResultAsync } from "neverthrow";
import { platformCertificates } from "./certificates/platform-certificates.js";
import { checkAlipayAccount } from "./credentials/check-account.js";
import { refusedOutcome } from "./gateway/classify-result.js";
import { closeOrder } from "./orders/close-order.js";
import { credentialExpiries } from "./credentials/credential-expiries.js";
import { CREDENTIAL_NAMES } from "./credentials/credential-problem.js";
import { credentialsCache } from "./credentials/credentials-cache.js";
import {
  type CallGateway,
  callGateway,
  type GatewayDependencies,
  requireCredentials,
} from "./gateway/call-gateway.js";
import { resolveGateways } from "./gateway/gateways.js";
import { requireOwnMerchant } from "./gateway/require-own-merchant.js";
import { localPrepayment, prepareOrder } from "./orders/prepare-order.js";
import { paymentPayload } from "./orders/payment-payload.js";
import { queryOrder } from "./orders/query-order.js";
import { readBill } from "./bills/read-bill.js";
import { readFundFlow } from "./bills/read-fund-flow.js";
import { readVerifiedNotification } from "./notifications/read-notification.js";
import { describeRefund, queryRefund, refundOrder } from "./refunds/refund-order.js";
import { signingAccount } from "./credentials/sub-merchant.js";

/** Maximum number of accounts whose parsed credentials are cached. */
const MAX_ACCOUNTS = 256;

const NO_PAYOUT =
  "Alipay has no call for abnormal refunds: what a bank returns goes to the customer's Alipay balance; otherwise pay the customer by other means and record that.";

/** Options of {@link alipayWallet}. */
export interface AlipayWalletOptions {
  /** Sets the time of requests, and checks the validity of certificates. */
  readonly clock: Pick<Clock, "now">;
  /**
   * Replaces Alipay's own gateways, by `appEnv` of the account.
   *
   * An address must be https, or http on a loopback address. It must have no user, query or
   * fragment.
   */
  readonly gateways?: Partial<Readonly<Record<WalletAccount["appEnv"], string>>>;
  /**
   * Returns headers that are added to each call, for example those of a trace.
   *
   * They are not signed, and they never replace a header that the adapter sets. The adapter calls
   * the function in the asynchronous context of the caller. Downloads of certificates and bill
   * files do not have these headers.
   */
  readonly requestHeaders?: RequestHeaders;
  /**
   * Receives events about the host's clock and about new certificates of Alipay.
   *
   * Pass the observer of the host. The calls themselves are reported by `@tillkit/core`.
   */
  readonly observer?: Observer;
  /**
   * Maximum number of concurrent calls of this process per merchant. Defaults to 16.
   *
   * The merchants of one service provider share one limit.
   */
  readonly maxConcurrent?: number;
  /**
   * Maximum number of waiting calls, counted like `maxConcurrent`. Defaults to 256.
   *
   * Further calls fail with `wallet.unknown` and the cause `busy`, and nothing is sent.
   */
  readonly maxQueued?: number;
  /** Timeout for a download of Alipay's certificates in milliseconds. Defaults to 5,000. */
  readonly certificateDeadline?: number;
  /** Maximum size of a bill in bytes of its text. Defaults to 1 GiB, about three million lines. */
  readonly maxBillBytes?: number;
}

/**
 * Creates the WALLET_B adapter for the Alipay open platform.
 *
 * One adapter serves any number of accounts. In an account, `walletAppId` is the app id,
 * `accountId` is the seller id, and `credentials` has the form of {@link parseAlipayCredentials}.
 * Throws if a gateway address is not secure.
 *
 * @returns the adapter, which calls Alipay only when a method is called.
 * @example
 * ```ts
 * import { alipayWallet } from "@tillkit/alipay";
 * import { systemClock } from "@tillkit/runtime";
 *
 * const wallet = alipayWallet({ clock: systemClock });
 * ```
 */
export function alipayWallet(options: AlipayWalletOptions): Wallet {
  const { clock, gateways = {}, maxConcurrent = 16, maxQueued = 256, maxBillBytes = 2 ** 30 } = options;
  const { certificateDeadline = 5_000, observer } = options;
  const addresses = resolveGateways(gateways);
  const gateway: GatewayDependencies = {
    clock,
    addresses,
    requestHeaders: options.requestHeaders ?? (() => ({})),
    readCredentials: credentialsCache(MAX_ACCOUNTS),
    limiter: createKeyedLimiter(maxConcurrent, maxQueued),
    certificates: platformCertificates({ clock, addresses }, certificateDeadline, observer),
    measureClock: clockMeter({ payChannel: "WALLET_B", clock, observer }),
  };
  const call = <T>(
    account: WalletAccount,
    limits: { readonly deadline: number },
    run: (call: CallGateway) => ResultAsync<T, WalletFailure>,
  ) => callGateway(gateway, account, limits).asyncAndThen(run);
  /** Like `call`, but fails if a response is about another merchant. */
  const callOwn: typeof call = (account, limits, run) =>
    call(account, limits, (call) => run(requireOwnMerchant(call, account)));

  return {
    payChannel: "WALLET_B",
    credentialNames: CREDENTIAL_NAMES,
    checkAccount: (account) => checkAlipayAccount(account, clock.now()),
    credentialExpiries: credentialExpiries(gateway.readCredentials, gateway.certificates),
    localPrepayment: (_account, request, now) => localPrepayment(request, now),
    prepare: (account, request, limits) => {
      const local = localPrepayment(request, clock.now());
      if (local !== undefined) return new ResultAsync(Promise.resolve(ok(local)));
      return requireCredentials(gateway, account).asyncAndThen((credentials) =>
        call(account, limits, (call) => prepareOrder(call, account, credentials, request, clock.now())),
      );
    },
    payload: (account, request, prepayment, at) => paymentPayload(gateway, account, request, prepayment, at),
    query: (account, outTradeNo, limits) =>
      call(account, limits, (call) => queryOrder(call, account, outTradeNo)),
    close: (account, outTradeNo, limits) =>
      callOwn(account, limits, (call) => closeOrder(call, account, outTradeNo)),
    refund: (account, request, limits) =>
      callOwn(account, limits, (call) => refundOrder(call, account, request)),
    describeRefund,
    queryRefund: (account, request, limits) =>
      callOwn(account, limits, (call) => queryRefund(call, account, request)),
    applyAbnormalRefund: () => new ResultAsync(Promise.resolve(refusedOutcome("other", NO_PAYOUT))),
    readBill: readBill(gateway, maxBillBytes),
    readFundFlow: readFundFlow(gateway, maxBillBytes),
    readNotification: (account, notification) => {
      const unusable: NotificationRefusal = { name: "notification.refused", reason: "unverified" };
      return gateway
        .readCredentials(signingAccount(account))
        .mapErr(() => unusable)
        .asyncAndThen((credentials) =>
          readVerifiedNotification(gateway.certificates, account, credentials, notification),
        );
    },
    answer: (taken) => ({ status: 200, contentType: "text/plain", body: taken ? "success" : "fail" }),
  };
}
