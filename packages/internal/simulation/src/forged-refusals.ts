import { orThrow, type Wallet, type WalletFailure, type WalletRejected } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { PortCall } from "./intercepted.js";
import type { Simulation } from "./simulation.js";

const no = (reason: WalletRejected["reason"]): WalletFailure => {
  return { name: "wallet.rejected", reason, trusted: false, detail: "not signed" };
};

/** Wraps a wallet so that it signs its data but none of its refusals. */
export function withUnsignedRefusals(wallet: Wallet): Wallet {
  return {
    ...wallet,
    prepare: (...paymentRequest) => wallet.prepare(...paymentRequest).mapErr(unsigned),
    refund: (...refundRequest) => wallet.refund(...refundRequest).mapErr(unsigned),
    applyAbnormalRefund: (...refundRequest) => wallet.applyAbnormalRefund(...refundRequest).mapErr(unsigned),
    query: (...requests) =>
      wallet
        .query(...requests)
        .andThen(known)
        .mapErr(unsigned),
    queryRefund: (...refundRequest) =>
      wallet
        .queryRefund(...refundRequest)
        .andThen(known)
        .mapErr(unsigned),
    close: (...requests) =>
      wallet
        .close(...requests)
        .andThen((outcome) => (outcome === "absent" ? err(no("absent")) : ok(outcome)))
        .mapErr(unsigned),
  };
}

function known<T>(found: T | undefined): Result<T, WalletFailure> {
  return found === undefined ? err(no("absent")) : ok(found);
}

function unsigned(failure: WalletFailure): WalletFailure {
  return failure.name === "wallet.rejected" ? { ...failure, trusted: false } : failure;
}

/** The calls whose refusal means that the wallet does not know the number. */
const ASKING: ReadonlySet<string> = new Set(["query", "close", "queryRefund"]);
const numbered = z.object({ outTradeNo: z.string(), refundNo: z.string().optional() });

/**
 * Returns an unsigned refusal of a call that the wallet executes all the same.
 *
 * An attacker between the wallet and the caller sends it. Returns `undefined` if the refusal would
 * take effect: `unsignedRefusalDelay` after the first refusal of a refund, or after an order became
 * closable.
 */
export async function forgedRefusal(
  simulation: Simulation,
  { method, args }: PortCall,
): Promise<WalletFailure | undefined> {
  if (method === "readBill" || method === "readFundFlow") return no("not-ready");
  const requested = args[1];
  const { outTradeNo, refundNo } =
    typeof requested === "string" ? { outTradeNo: requested } : numbered.parse(requested);
  const { unsignedRefusalDelay, expiryMargin } = simulation.policy;
  const order = await orThrow(simulation.stores.orders.findById(outTradeNo));
  if (order === undefined) return undefined;
  const first =
    refundNo === undefined
      ? order.expiresAt + expiryMargin
      : (simulation.firstNo.get(refundNo) ?? simulation.now());
  if (simulation.now() >= first + unsignedRefusalDelay) return undefined;
  if (refundNo !== undefined) simulation.firstNo.set(refundNo, first);
  return no(ASKING.has(method) ? "absent" : "other");
}
