import type {
  PaymentRequest,
  PayPayload,
  Prepayment,
  Wallet,
  WalletAccount,
  WalletFailure,
} from "@tillkit/core";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { SandboxKeys } from "../keys.js";
import { faulty, refusal } from "../faulty.js";
import { ledgerCalls, rejection, termsOf, type WalletSide } from "../ledger-calls.js";
import { ownWords } from "../shared/own-words.js";
import { belongTogether, publicKeyOf } from "../shared/rsa.js";
import { settled } from "../shared/settled.js";
import { readWalletBKeys } from "./credentials.js";
import { readTrade, refundFact, tradeFacts } from "./facts.js";
import { readWalletBNotification } from "./read-notification.js";
import { appPayload, browserUrl } from "./requests.js";

/** How long a code that is scanned stays good, in milliseconds. */
const CODE_LIFETIME = 120 * 60_000;

/** What WALLET_B's client side needs of the rest of the sandbox. */
export interface WalletBOptions extends WalletSide {
  readonly keys: SandboxKeys["walletB"];
}

/** WALLET_B as the service sees it. In an app and in a browser a payment is opened by what is signed here, without asking the wallet. */
export function walletBClient(options: WalletBOptions): Wallet {
  const { keys } = options;
  const problems = (account: WalletAccount) => problemsOf(account, keys);
  const calls = ledgerCalls(options, {
    problems,
    lifetime: () => CODE_LIFETIME,
    values: (_request, token) => ({ qr_code: `https://qr.alipay.com/${token}` }),
    stateOrder: (order) => ownWords(readTrade(tradeFacts(order))),
    stateRefund: refundFact,
  });
  return {
    payChannel: "WALLET_B",
    checkAccount: (account) => Promise.resolve(problems(account)),
    localPrepayment,
    ...calls,
    prepare: (account, request, limits) => {
      const local = localPrepayment(account, request, options.clock.now());
      return local === undefined ? calls.prepare(account, request, limits) : settled(ok(local));
    },
    payload: (account, request, prepayment, at) => payloadOf(options, account, request, prepayment, at),
    readNotification: (account, notification) => {
      const result = readWalletBKeys(account)
        .mapErr(() => ({ name: "notification.refused", reason: "unverified" }) as const)
        .andThen((known) => readWalletBNotification(known, notification));
      return settled(result);
    },
    answer: (taken) => ({ status: 200, contentType: "text/plain", body: taken ? "success" : "fail" }),
  };
}

function localPrepayment(
  _account: WalletAccount,
  { paySource, expiresAt }: PaymentRequest,
  now: number,
): Prepayment | undefined {
  return paySource === "NATIVE" ? undefined : { issuedAt: now, validUntil: expiresAt, values: {} };
}

function payloadOf(
  side: WalletBOptions,
  account: WalletAccount,
  request: PaymentRequest,
  { issuedAt, validUntil, values }: Prepayment,
  at: number,
): ResultAsync<PayPayload, WalletFailure> {
  if (request.paySource === "NATIVE") {
    const { qr_code } = values;
    const foreign = refusal("other", "the prepayment is not for this order");
    return settled(qr_code === undefined ? err(foreign) : ok({ qr_code }));
  }
  // Signing is all the creation there is, so the books learn of the order here, and here it can fail.
  const prepayment = { token: String(issuedAt), issuedAt, validUntil, heard: true };
  return faulty(side.fault("prepay"), noDeadline, () =>
    side.ledger.handOut(termsOf(account, request), prepayment).mapErr(rejection),
  ).andThen(() => new ResultAsync(signPayload(account, request, at)));
}

/** Signing goes over no network, so that there is nothing to wait for. */
const noDeadline = () => Promise.resolve();

async function signPayload(
  account: WalletAccount,
  request: PaymentRequest,
  at: number,
): Promise<Result<PayPayload, WalletFailure>> {
  const keys = readWalletBKeys(account);
  if (keys.isErr()) return err(refusal("configuration", keys.error.join("; ")));
  const { appKey } = keys.value;
  if (request.paySource === "H5") return ok({ pay_url: await browserUrl(account, request, at, appKey) });
  return ok(await appPayload(account, request, at, appKey));
}

function problemsOf(account: WalletAccount, registered: SandboxKeys["walletB"]): readonly string[] {
  const keys = readWalletBKeys(account);
  if (keys.isErr()) return keys.error;
  const { appKey, walletKey } = keys.value;
  const app = publicKeyOf(registered.app.publicKey);
  const wallet = publicKeyOf(registered.wallet.publicKey);
  return [
    account.appEnv === "DEV" ? [] : ["the sandbox serves DEV accounts only"],
    app !== undefined && belongTogether(appKey, app)
      ? []
      : ["appPrivateKey is not the key of the sandbox's app"],
    wallet !== undefined && walletKey.equals(wallet)
      ? []
      : ["alipayPublicKey is not the key the sandbox's WALLET_B signs with"],
  ].flat();
}
