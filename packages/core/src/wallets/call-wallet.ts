import { err, ok, okAsync, type Result, ResultAsync } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import type { PayChannel, WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { type Notice, tell } from "../shared/observer.js";
import type { PaymentRequest, Wallet, WalletFailure } from "./wallet.js";

type WalletCall = Extract<Notice, { type: "wallet.called" }>["call"];

/** Calls a wallet, tells the observer how it went, and turns a wallet adapter that throws into an unknown outcome. */
export function callWallet<T, E extends { readonly name: string } = WalletFailure>(
  ports: Pick<Ports, "wallets" | "clock" | "observer">,
  payChannel: PayChannel,
  call: WalletCall,
  run: (wallet: Wallet) => ResultAsync<T, E>,
): ResultAsync<T, E | WalletFailure> {
  const attempt = async (): Promise<Result<T, E | WalletFailure>> => {
    const startedAt = ports.clock.now();
    const result = await settled(() => run(ports.wallets[payChannel]));
    const durationMs = ports.clock.now() - startedAt;
    tell(ports, {
      type: "wallet.called",
      payChannel,
      call,
      outcome: outcomeOf(result),
      durationMs,
    });
    return result;
  };
  return new ResultAsync(attempt());
}

async function settled<T, E>(run: () => ResultAsync<T, E>): Promise<Result<T, E | WalletFailure>> {
  try {
    return await run();
  } catch {
    return err({ name: "wallet.unknown", cause: "network", detail: "the wallet adapter threw" });
  }
}

function outcomeOf(result: Result<unknown, { readonly name: string }>): "ok" | "rejected" | "unknown" {
  if (result.isOk()) return "ok";
  return result.error.name === "wallet.rejected" ? "rejected" : "unknown";
}

/** What the wallet was, and will always be, asked to take for this order: also after the host has moved to another URL. */
export function paymentRequest(order: Order): PaymentRequest {
  const { id, amount, goodsTitle, paySource, payerId, notifyUrl, expiresAt, payChannel } = order;
  const base = notifyUrl.slice(0, notifyUrl.lastIndexOf(`/notify/${payChannel}/`));
  const returnUrl = `${base}/return/${payChannel}`;
  const payer = payerId === undefined ? {} : { payerId };
  return { outTradeNo: id, amount, goodsTitle, paySource, ...payer, notifyUrl, returnUrl, expiresAt };
}

/** The account that takes this order's money, whether or not new orders still use it. One that is ready may be recalled. */
export function accountOf(
  ports: Pick<Ports, "payTools">,
  order: Order,
): ResultAsync<WalletAccount, FailureOf<"pay-tool.not-configured" | "storage.unavailable">> {
  const recalled = ports.payTools.recall(order.payToolId);
  if (recalled?.signStatus === "OK") return okAsync(recalled);
  return ports.payTools
    .find(order.payToolId)
    .andThen((account) => (account === undefined ? fail("pay-tool.not-configured") : ok(account)));
}

/** The catalogue's failure for a wallet's. Source: BEHAVIOUR, codes 30001 to 40001. */
export function walletFailure(
  payChannel: PayChannel,
  failure: WalletFailure,
): FailureOf<"wallet-a.rejected" | "wallet-a.unavailable" | "wallet-a.bad-answer" | "wallet-b.failed"> {
  const kind = failureKind(failure);
  return payChannel === "WALLET_A" ? { name: `wallet-a.${kind}` } : { name: "wallet-b.failed", kind };
}

/** Whether a wallet said, and did not prove, that it has nothing of a number. */
export function isUnprovenAbsence(failure: WalletFailure): boolean {
  return failure.name === "wallet.rejected" && failure.reason === "absent" && !failure.proven;
}

/** Whether a wallet answered that there are too many calls. */
export function isRateLimited(failure: WalletFailure): boolean {
  return failure.name === "wallet.unknown" && failure.cause === "rate-limited";
}

function failureKind(failure: WalletFailure): "rejected" | "unavailable" | "bad-answer" {
  if (isUnprovenAbsence(failure)) return "bad-answer";
  if (failure.name === "wallet.rejected") return "rejected";
  return failure.cause === "unverified" ? "bad-answer" : "unavailable";
}
