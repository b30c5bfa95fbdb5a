import { err, type Result, ResultAsync } from "neverthrow";
import type { FailureOf } from "../errors/failure.js";
import type { PayChannel, WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { harmlessDetail } from "../personal-data/harmless-detail.js";
import { emit } from "../shared/emit.js";
import type { Wallet, WalletFailure, WalletRejected } from "./wallet.js";
import type { WalletCall } from "./wallet-call.js";

/** What a call to a wallet is about, for the log. */
export interface WalletCallSubject {
  readonly payChannel: PayChannel;
  readonly payToolId?: string;
  readonly appId?: string;
  readonly orderId?: string;
  readonly refundNo?: string;
  /** Texts of the order that a wallet may quote in a refusal, and that no log may contain. */
  readonly hidden?: readonly string[];
}

/** The members of an order that a call names, or that its log must not contain. */
interface CalledOrder {
  readonly id: string;
  readonly appId: string;
  readonly payChannel: PayChannel;
  readonly payToolId: string;
  readonly bizNo: string;
  readonly goodsTitle: string;
  readonly customerIdentity: string;
  readonly payerId?: string;
  readonly attachData?: string;
}

/** Returns the subject of a call about an order, or about a refund of it. */
export function aboutOrder(order: CalledOrder, refundNo?: string): WalletCallSubject {
  const { payChannel, payToolId, appId, id: orderId } = order;
  const { bizNo, goodsTitle, customerIdentity, payerId = "", attachData = "" } = order;
  const secrets = [bizNo, goodsTitle, customerIdentity, payerId, attachData];
  return {
    payChannel,
    payToolId,
    appId,
    orderId,
    ...(refundNo === undefined ? {} : { refundNo }),
    hidden: secrets,
  };
}

/** Returns the subject of a call about a merchant account, such as for its bill. */
export function aboutAccount({ payChannel, id: payToolId, appId }: WalletAccount): WalletCallSubject {
  return { payChannel, payToolId, appId };
}

/**
 * Calls a wallet and emits the outcome and duration to the observer.
 *
 * If the adapter throws or rejects, the result is `wallet.unknown`.
 */
export function callWallet<T, E extends { readonly name: string } = WalletFailure>(
  ports: Pick<Ports, "wallets" | "clock" | "observer">,
  about: WalletCallSubject,
  call: WalletCall,
  run: (wallet: Wallet) => ResultAsync<T, E>,
): ResultAsync<T, E | WalletFailure> {
  const attempt = async (): Promise<Result<T, E | WalletFailure>> => {
    const startedAt = ports.clock.now();
    const { hidden = [], ...ids } = about;
    const result = await settled(() => run(ports.wallets[about.payChannel]));
    const durationMs = ports.clock.now() - startedAt;
    const detail = result.isErr() ? detailOf(result.error) : undefined;
    emit(ports, {
      type: "wallet.called",
      ...ids,
      call,
      outcome: outcomeOf(result),
      durationMs,
      ...(result.isErr() && isRefusal(result.error) ? { reason: result.error.reason } : {}),
      ...(detail === undefined ? {} : { detail: harmlessDetail(detail, hidden) }),
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

function detailOf(error: object): string | undefined {
  return "detail" in error && typeof error.detail === "string" ? error.detail : undefined;
}

function outcomeOf(result: Result<unknown, { readonly name: string }>): "ok" | "rejected" | "unknown" {
  if (result.isOk()) return "ok";
  return isRefusal(result.error) ? "rejected" : "unknown";
}

function isRefusal(failure: { readonly name: string }): failure is WalletRejected {
  return failure.name === "wallet.rejected";
}

/**
 * Maps a wallet's failure to the error catalog: codes 30001 to 30003, and 40001 for Alipay.
 *
 * An unsigned answer that the number does not exist maps to "bad-answer", like any other unverified
 * response.
 */
export function walletFailure(
  payChannel: PayChannel,
  failure: WalletFailure,
): FailureOf<"wallet-a.rejected" | "wallet-a.unavailable" | "wallet-a.bad-answer" | "wallet-b.failed"> {
  const kind = failureKind(failure);
  return payChannel === "WALLET_A" ? { name: `wallet-a.${kind}` } : { name: "wallet-b.failed", kind };
}

/** Returns whether the wallet reported, without a signature, that it has no record of a number. */
export function isUntrustedAbsence(failure: WalletFailure): boolean {
  return failure.name === "wallet.rejected" && failure.reason === "absent" && !failure.trusted;
}

/** Returns whether the wallet refused the call because of its rate limit. */
export function isRateLimited(failure: WalletFailure): boolean {
  return failure.name === "wallet.unknown" && failure.cause === "rate-limited";
}

function failureKind(failure: WalletFailure): "rejected" | "unavailable" | "bad-answer" {
  if (isUntrustedAbsence(failure)) return "bad-answer";
  if (failure.name === "wallet.rejected") return "rejected";
  return failure.cause === "unverified" ? "bad-answer" : "unavailable";
}
