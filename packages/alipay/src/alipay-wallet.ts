import type {
  Clock,
  NotificationRefusal,
  PaymentRequest,
  Prepayment,
  Wallet,
  WalletAccount,
  WalletFailure,
} from "@tillkit/core";
import { inFlight } from "@tillkit/runtime";
import { ok, ResultAsync } from "neverthrow";
import { z } from "zod";
import { checkAlipayCredentials } from "./check-credentials.js";
import { classifyAnswer, rejected, unknown } from "./classify-answer.js";
import { closeTrade } from "./close-trade.js";
import { credentialsCache } from "./credentials-cache.js";
import { type Conversation, converse, type Gateway } from "./gateway.js";
import { gatewayAddresses } from "./gateway-addresses.js";
import { orderAsk } from "./order-content.js";
import { payloadOf } from "./payload.js";
import { queryTrade } from "./query-trade.js";
import { readBill, readFundFlow } from "./bills/read-bill.js";
import { readNotification } from "./read-notification.js";
import { queryRefund, refund } from "./refund.js";

/** How long a code that is scanned stays good, in milliseconds. */
const CODE_LIFETIME = 120 * 60_000;
/** Accounts whose keys stay parsed. */
const MAX_ACCOUNTS = 256;

/** What notifications name the seller by; a sign-in name in its place would match none of them. */
const SELLER_ID = /^2088\d{12}$/;
const NO_SELLER_ID = "accountId is not a seller's id (PID). Wanted: the sixteen digits that begin with 2088.";

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
  const gateway: Gateway = {
    clock,
    addresses: gatewayAddresses(gateways),
    readCredentials: credentialsCache(MAX_ACCOUNTS),
    inFlight: inFlight(maxInFlight, maxWaiting),
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
    localPrepayment: (_account, request, now) => localPrepayment(request, now),
    prepare: (account, request, limits) => {
      const local = localPrepayment(request, clock.now());
      return local === undefined
        ? call(account, limits, (ask) => prepareCode(ask, request, clock.now()))
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
    readBill: readBill(gateway, maxBillBytes),
    readFundFlow: readFundFlow(gateway, maxBillBytes),
    readNotification: (account, notification) => {
      const unusable: NotificationRefusal = { name: "notification.refused", reason: "unverified" };
      const event = gateway
        .readCredentials(account)
        .mapErr(() => unusable)
        .andThen((credentials) => readNotification(credentials, notification));
      return new ResultAsync(Promise.resolve(event));
    },
    answer: (taken) => ({ status: 200, contentType: "text/plain", body: taken ? "success" : "fail" }),
  };
}

/** In an app and in a browser the customer brings the order to the wallet: there is nothing to ask it before. */
function localPrepayment({ paySource, expiresAt }: PaymentRequest, now: number): Prepayment | undefined {
  return paySource === "NATIVE" ? undefined : { issuedAt: now, validUntil: expiresAt, values: {} };
}

const code = z.object({ qr_code: z.string().min(1) });

function prepareCode(
  ask: Conversation,
  request: PaymentRequest,
  issuedAt: number,
): ResultAsync<Prepayment, WalletFailure> {
  if (request.expiresAt <= issuedAt) {
    return new ResultAsync(Promise.resolve(rejected("closed", "the time to pay the order is over")));
  }
  const validUntil = Math.min(issuedAt + CODE_LIFETIME, request.expiresAt);
  return ask(orderAsk(request))
    .andThen(classifyAnswer)
    .andThen((answer) => {
      const values = code.safeParse(answer).data;
      return values === undefined
        ? unknown("server-error", "the answer has no qr_code")
        : ok({ issuedAt, validUntil, values });
    });
}
