import type {
  Clock,
  NotificationRefusal,
  PaymentRequest,
  PaySource,
  Prepayment,
  Wallet,
  WalletAccount,
  WalletFailure,
} from "@tillkit/core";
import { inFlight } from "@tillkit/runtime";
import { ok, type Result, ResultAsync } from "neverthrow";
import * as z from "zod";
import { alipayCertificates } from "./alipay-certificates.js";
import { checkAlipayCredentials } from "./check-credentials.js";
import { classifyAnswer, rejected, unknown } from "./classify-answer.js";
import { closeTrade } from "./close-trade.js";
import { credentialExpiries } from "./credential-expiries.js";
import { credentialsCache } from "./credentials-cache.js";
import { type Conversation, converse, type Gateway } from "./gateway.js";
import { gatewayAddresses } from "./gateway-addresses.js";
import { orderAsk } from "./order-content.js";
import { payloadOf } from "./payload.js";
import { queryTrade } from "./query-trade.js";
import { readBill, readFundFlow } from "./bills/read-bill.js";
import { readProvenNotification } from "./read-notification.js";
import { queryRefund, refund } from "./refund.js";

/** How long a code that is scanned stays good, in milliseconds. */
const CODE_LIFETIME = 120 * 60_000;
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
    certificates: alipayCertificates({ clock, addresses }),
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
        ? call(account, limits, (ask) => askForPrepayment(ask, account, request, clock.now()))
        : new ResultAsync(Promise.resolve(ok(local)));
    },
    payload: (account, request, prepayment, at) => payloadOf(gateway, account, request, prepayment, at),
    query: (account, outTradeNo, limits) =>
      call(account, limits, (ask) => queryTrade(ask, account, outTradeNo)),
    close: (account, outTradeNo, limits) =>
      call(account, limits, (ask) => closeTrade(ask, account, outTradeNo)),
    refund: (account, request, limits) => call(account, limits, (ask) => refund(ask, account, request)),
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

/** What the wallet answers for a payment that must be prepared there. */
const PREPARED = {
  // The code can be scanned for a time only.
  NATIVE: { values: z.object({ qr_code: z.string().min(1) }), lifetime: CODE_LIFETIME },
  // The trade can be opened until the order expires.
  JSAPI: { values: z.object({ trade_no: z.string().min(1) }), lifetime: Infinity },
} as const;

function isPrepared(paySource: PaySource): paySource is keyof typeof PREPARED {
  return Object.hasOwn(PREPARED, paySource);
}

/** In an app and in a browser the customer brings the order to the wallet, so that no call is needed before. */
function localPrepayment({ paySource, expiresAt }: PaymentRequest, now: number): Prepayment | undefined {
  return isPrepared(paySource) ? undefined : { issuedAt: now, validUntil: expiresAt, values: {} };
}

function askForPrepayment(
  ask: Conversation,
  account: WalletAccount,
  request: PaymentRequest,
  issuedAt: number,
): ResultAsync<Prepayment, WalletFailure> {
  const { paySource, payerId, expiresAt } = request;
  if (expiresAt <= issuedAt) return failed(rejected("closed", "the time to pay the order is over"));
  if (!isPrepared(paySource)) return failed(rejected("other", "nothing is to be prepared; nothing was sent"));
  if (paySource === "JSAPI" && payerId === undefined)
    return failed(rejected("configuration", "JSAPI needs payerId; nothing was sent"));
  const { values, lifetime } = PREPARED[paySource];
  return ask(orderAsk(request, account))
    .andThen(classifyAnswer)
    .andThen((answer) => {
      const read = values.safeParse(answer).data;
      return read === undefined
        ? unknown("server-error", `the answer has no ${Object.keys(values.shape).join()}`)
        : ok({ issuedAt, validUntil: Math.min(issuedAt + lifetime, expiresAt), values: read });
    });
}

function failed<T>(failure: Result<T, WalletFailure>): ResultAsync<T, WalletFailure> {
  return new ResultAsync(Promise.resolve(failure));
}
