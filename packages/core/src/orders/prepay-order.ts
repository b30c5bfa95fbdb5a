import { err, ok, type Result, type ResultAsync } from "neverthrow";
import { fail, type FailureOf } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { callWallet, walletFailure } from "../wallets/call-wallet.js";
import { paymentRequest } from "./payment-request.js";
import type { WalletFailure, WalletRejected } from "../wallets/wallet.js";
import type { Order } from "./order.js";
import type { Prepayment } from "../wallets/prepayment.js";
import { refreshOrder, type RefreshPorts } from "./refresh-order.js";
import { keyOf, recordAlarm } from "./transition-order.js";

/** The ports that getting a prepayment touches. */
export type PrepayPorts = RefreshPorts & Pick<Ports, "digest">;
/** Why an order can no longer be paid. */
export type NotPayable = FailureOf<"order.already-paid" | "order.closed" | "order.refunded">;
/** Why there is no prepayment. */
export type PrepayFailure =
  | NotPayable
  | ReturnType<typeof walletFailure>
  | FailureOf<"pay-tool.not-configured" | "payer-address.invalid" | "storage.unavailable">;

/** An order that can be paid now, with what its wallet gave for it. */
export type PrepaidOrder = Order & { readonly prepayment: Prepayment };

const SHORTEST_PAUSE = 5;
const LONGEST_PAUSE = 100;

/** How long one claim on the prepayment lasts: as long as the wallet may take, and time to write the answer down. */
export function claimLease(policy: Policy): number {
  return policy.walletDeadline + 2_000;
}

/**
 * Makes sure the order has a prepayment that can be used now. Of any number of callers in any number of processes one asks the wallet, holding `claimId` as its
 * claim, and the others wait for what it writes. A process that dies loses its claim when it runs out, and the next asks for the same order
 * again. Source: BEHAVIOUR, "Orders", one row and one prepayment.
 */
export function prepayOrder(
  ports: PrepayPorts,
  order: Order,
  account: WalletAccount,
  claimId: string,
): ResultAsync<PrepaidOrder, PrepayFailure> {
  return attempt(() => prepaid(ports, order, account, claimId));
}

async function prepaid(ports: PrepayPorts, order: Order, account: WalletAccount, claimId: string) {
  const patience = claimLease(ports.policy);
  const startedAt = ports.clock.now();
  let waited = 0;
  let current = order;
  for (let pause = SHORTEST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const now = ports.clock.now();
    const payable = stillPayable(current, now);
    if (payable.isErr()) return payable;
    const { prepayment } = current;
    if (isUsable(prepayment, now)) return ok({ ...current, prepayment });
    if (current.prepaymentClaim?.id === claimId) return askWallet(ports, current, account, claimId);
    const claim = { id: claimId, until: now + claimLease(ports.policy) };
    const claimedResult = await ports.orders.claimPrepayment(keyOf(order), claim, now);
    if (claimedResult.isErr()) return claimedResult;
    const claimed = claimedResult.value;
    if (claimed?.granted === true) return askWallet(ports, claimed.order, account, claimId);
    // A clock that stands still must not make anybody wait for ever.
    if (Math.max(now - startedAt, waited) >= patience)
      return err(walletFailure(order.payChannel, WAITED_IN_VAIN));
    current = claimed?.order ?? current;
    if (isUsable(current.prepayment, now)) continue;
    await ports.clock.sleep(pause);
    waited += pause;
  }
}

function isUsable(prepayment: Prepayment | undefined, now: number): prepayment is Prepayment {
  return prepayment !== undefined && now < prepayment.validUntil;
}

const WAITED_IN_VAIN: WalletFailure = {
  name: "wallet.unknown",
  cause: "timeout",
  detail: "another process is still asking the wallet",
};

/** Fails when the order can no longer be paid at `now`, saying why. Source: BEHAVIOUR, codes 50003 to 50005. */
export function stillPayable(order: Order, now: number): Result<Order, NotPayable> {
  return stillOpen(order).andThen((open) => (now < open.expiresAt ? ok(open) : fail("order.closed")));
}

/** Fails when the order is not PENDING, saying what it is. */
export function stillOpen(order: Order): Result<Order, NotPayable> {
  switch (order.paymentStatus) {
    case "PAID":
      return fail("order.already-paid");
    case "REFUND":
      return fail("order.refunded");
    case "CLOSE":
      return fail("order.closed");
    case "PENDING":
      return ok(order);
  }
}

function askWallet(
  ports: PrepayPorts,
  order: Order,
  account: WalletAccount,
  claimId: string,
): ResultAsync<PrepaidOrder, PrepayFailure> {
  return attempt(async () => {
    const answer = await callWallet(ports, order.payChannel, "prepare", (wallet) =>
      wallet.prepare(account, paymentRequest(order), { deadline: ports.policy.walletDeadline }),
    );
    if (answer.isOk()) {
      const heldResult = await ports.orders.attachPrepayment(keyOf(order), answer.value);
      if (heldResult.isErr()) return heldResult;
      const held = heldResult.value;
      const now = ports.clock.now();
      if (held !== undefined) {
        const payable = stillPayable(held, now);
        if (payable.isErr()) return payable;
      }
      return ok({ ...(held ?? order), prepayment: held?.prepayment ?? answer.value });
    }
    const released = await ports.orders.releasePrepayment(keyOf(order), claimId);
    if (released.isErr()) return released;
    const failure = answer.error;
    if (failure.name === "wallet.rejected") {
      const reason = `the wallet refused the order: ${failure.detail}`;
      const evidence = ports.digest.sha256(failure.detail);
      const recorded = await recordAlarm(ports, order, { type: "PREPAYMENT_REJECTED", reason, evidence });
      if (recorded.isErr()) return recorded;
    }
    const heeded = await heedRefusal(ports, order, failure);
    if (heeded.isErr()) return heeded;
    return err(prepareFailure(order, failure));
  });
}

// The caller can supply an address, so the failure names what to send.
function prepareFailure({ payChannel }: Order, failure: WalletFailure) {
  if (failure.name !== "wallet.rejected" || failure.reason !== "payer-address")
    return walletFailure(payChannel, failure);
  const { parameter = "payerClientIp" } = failure;
  return { name: "payer-address.invalid", parameter } as const;
}

/** Refusals for which nothing was sent: they cannot be the answer to an earlier attempt. */
const UNSENT: ReadonlySet<WalletRejected["reason"]> = new Set(["configuration", "payer-address"]);

/**
 * Fails when the order can no longer be paid, after a wallet's definite no about it. "Paid" and "closed" are news of the order; any other no may be an answer to
 * an earlier attempt that did arrive.
 */
export function heedRefusal(
  ports: RefreshPorts,
  order: Order,
  failure: WalletFailure,
): ResultAsync<void, NotPayable | FailureOf<"storage.unavailable">> {
  return attempt(async () => {
    if (failure.name === "wallet.rejected" && !UNSENT.has(failure.reason)) {
      const refreshed = await refreshOrder(ports, order, ports.policy.walletDeadline);
      if (refreshed.isOk()) {
        const payable = stillPayable(refreshed.value, ports.clock.now());
        if (payable.isErr()) return payable;
      }
    }
    return ok(undefined);
  });
}
