import type { Clock, NotificationRefusal, Wallet, WalletAccount, WalletFailure } from "@tillkit/core";
import { inFlight } from "@tillkit/wallet-kit";
import { ok, ResultAsync } from "neverthrow";
import { platformCertificates } from "./certificates/platform-certificates.js";
import { checkAlipayCredentials } from "./credentials/check-credentials.js";
import { rejected } from "./gateway/classify-answer.js";
import { closeOrder } from "./orders/close-order.js";
import { credentialExpiries } from "./credentials/credential-expiries.js";
import { credentialsCache } from "./credentials/credentials-cache.js";
import { type Conversation, converse, type Gateway } from "./gateway/call-api.js";
import { gatewayAddresses } from "./gateway/gateway-addresses.js";
import { localPrepayment, prepareOrder } from "./orders/prepare-order.js";
import { paymentPayload } from "./orders/payment-payload.js";
import { queryOrder } from "./orders/query-order.js";
import { readBill, readFundFlow } from "./bills/read-bill.js";
import { readProvenNotification } from "./notifications/read-notification.js";
import { queryRefund, refundOrder } from "./refunds/refund-order.js";

/** Accounts whose keys stay parsed. */
const MAX_ACCOUNTS = 256;

/** What notifications name the seller by; a sign-in name in its place would match none of them. */
const SELLER_ID = /^2088\d{12}$/;
const NO_SELLER_ID = "accountId is not a seller's id (PID). Wanted: the sixteen digits that begin with 2088.";

const NO_PAYOUT =
  "Alipay has no call for abnormal refunds: what a bank returns goes to the customer's Alipay balance; otherwise pay the customer by other means and record that.";

/** How the adapter is set up. */
export interface AlipayWalletOptions {
  /** Dates requests. */
  readonly clock: Pick<Clock, "now">;
  /**
   * The gateways to call instead of the wallet's own, by `appEnv` of the account: https, or http on a loopback address. They have no query.
   */
  readonly gateways?: Partial<Readonly<Record<WalletAccount["appEnv"], string>>>;
  /** Calls under way at once for one merchant; 16 when left out. */
  readonly maxInFlight?: number;
  /** Calls that may wait behind them; one more is `wallet.unknown`, `busy`. 256 when left out. */
  readonly maxWaiting?: number;
  /** The longest bill that is read, in bytes of its text; 1 GiB when left out, which is about three million lines. */
  readonly maxBillBytes?: number;
}

/**
 * WALLET_B at the real wallet, the Alipay open platform. One serves any number of accounts: `walletAppId` is the app id,
 * `accountId` the seller's id, and `credentials` what `parseAlipayCredentials` reads. It throws for a gateway that could not be trusted.
 */
export function alipayWallet(options: AlipayWalletOptions): Wallet {
  const { clock, gateways = {}, maxInFlight = 16, maxWaiting = 256, maxBillBytes = 2 ** 30 } = options;
  const addresses = gatewayAddresses(gateways);
  const gateway: Gateway = {
    clock,
    addresses,
    readCredentials: credentialsCache(MAX_ACCOUNTS),
    inFlight: inFlight(maxInFlight, maxWaiting),
    certificates: platformCertificates({ clock, addresses }),
  };
  const call = <T>(
    account: WalletAccount,
    limits: { readonly deadline: number },
    run: (ask: Conversation) => ResultAsync<T, WalletFailure>,
  ) => converse(gateway, account, limits).asyncAndThen(run);

  return {
    payChannel: "WALLET_B",
    checkAccount: async ({ credentials, accountId }) => {
      const problems = await checkAlipayCredentials(credentials, clock.now());
      return [
        ...(SELLER_ID.test(accountId) ? [] : [NO_SELLER_ID]),
        ...problems.map(({ message }) => message),
      ];
    },
    credentialExpiries: credentialExpiries(gateway.readCredentials, gateway.certificates),
    localPrepayment: (_account, request, now) => localPrepayment(request, now),
    prepare: (account, request, limits) => {
      const local = localPrepayment(request, clock.now());
      return local === undefined
        ? call(account, limits, (ask) => prepareOrder(ask, account, request, clock.now()))
        : new ResultAsync(Promise.resolve(ok(local)));
    },
    payload: (account, request, prepayment, at) => paymentPayload(gateway, account, request, prepayment, at),
    query: (account, outTradeNo, limits) =>
      call(account, limits, (ask) => queryOrder(ask, account, outTradeNo)),
    close: (account, outTradeNo, limits) =>
      call(account, limits, (ask) => closeOrder(ask, account, outTradeNo)),
    refund: (account, request, limits) => call(account, limits, (ask) => refundOrder(ask, account, request)),
    queryRefund: (account, request, limits) =>
      call(account, limits, (ask) => queryRefund(ask, account, request)),
    applyAbnormalRefund: () => new ResultAsync(Promise.resolve(rejected("other", NO_PAYOUT))),
    readBill: readBill(gateway, maxBillBytes),
    readFundFlow: readFundFlow(gateway, maxBillBytes),
    readNotification: (account, notification) => {
      const unusable: NotificationRefusal = { name: "notification.refused", reason: "unverified" };
      return gateway
        .readCredentials(account)
        .mapErr(() => unusable)
        .asyncAndThen((credentials) =>
          readProvenNotification(gateway.certificates, account, credentials, notification),
        );
    },
    answer: (taken) => ({ status: 200, contentType: "text/plain", body: taken ? "success" : "fail" }),
  };
}
