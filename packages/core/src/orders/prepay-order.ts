import { err, ok, type Result, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailure, type StorageFailureName } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { claimLease } from "../wallets/claim-lease.js";
import { aboutOrder, callWallet, walletFailure } from "../wallets/call-wallet.js";
import { eventWith } from "./event-details.js";
import { paymentRequest } from "./payment-request.js";
import type { WalletFailure, WalletRejected } from "../wallets/wallet.js";
import { type Order, keyOf } from "./order.js";
import type { Prepayment } from "../wallets/prepayment.js";
import { refreshOrder, type RefreshPorts } from "./refresh-order.js";
import { recordAlarm } from "./order-alarm.js";

/** Ports of {@link prepayOrder}. */
export type PrepayPorts = RefreshPorts & Pick<Ports, "digest">;
/** Reasons why an order can no longer be paid. */
export type NotPayable = FailureOf<"order.already-paid" | "order.closed" | "order.refunded">;
/** Reasons why {@link prepayOrder} returns no prepayment. */
export type PrepayFailure =
  | NotPayable
  | ReturnType<typeof walletFailure>
  | FailureOf<"pay-tool.not-configured" | "payer-address.invalid" | StorageFailureName>;

/** An order with a prepayment. */
export type PrepaidOrder = Order & { readonly prepayment: Prepayment };

const SHORTEST_PAUSE = 5;
const LONGEST_PAUSE = 100;

/**
 * Returns the order with a usable prepayment, and requests one from the wallet if necessary.
 *
 * At most one caller across all processes calls the wallet. The others poll storage for its result.
 * They fail with the wallet's "unavailable" failure after the duration of one claim. If a process
 * dies, its claim expires, and another caller repeats the request for the same order.
 *
 * @param claimId - id under which this call claims the prepayment. The call that stored the order
 *   already holds the claim with this id.
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/order-creation.md |
 *   One order and one prepayment per bizNo}
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
    const payable = requirePayable(current, now);
    if (payable.isErr()) return payable;
    if (isPrepaid(current, now)) return ok(current);
    if (current.prepaymentClaim?.id === claimId) return askWallet(ports, current, account, claimId);
    const claim = { id: claimId, until: now + claimLease(ports.policy) };
    const claimedResult = await ports.orders.claimPrepayment(keyOf(order), claim, now);
    if (claimedResult.isErr()) return claimedResult;
    const claimed = claimedResult.value;
    if (claimed?.granted === true) return askWallet(ports, claimed.order, account, claimId);
    current = claimed?.order ?? current;
    if (isPrepaid(current, now)) continue;
    // Counts the pauses as well, so that the loop ends even if the clock stands still.
    if (Math.max(now - startedAt, waited) >= patience)
      return requirePayable(current, now).andThen(() => err(walletFailure(order.payChannel, WAITED_IN_VAIN)));
    await ports.clock.sleep(pause);
    waited += pause;
  }
}

function isPrepaid(order: Order, now: number): order is PrepaidOrder {
  return order.prepayment !== undefined && now < order.prepayment.validUntil;
}

const WAITED_IN_VAIN: WalletFailure = {
  name: "wallet.unknown",
  cause: "timeout",
  detail: "another process is still calling the wallet",
};

/** Fails if the order can no longer be paid at `now`, with the reason. */
export function requirePayable(order: Order, now: number): Result<Order, NotPayable> {
  return requirePending(order).andThen((open) => (now < open.expiresAt ? ok(open) : fail("order.closed")));
}

/** Fails if the order is not PENDING, with the reason. */
export function requirePending(order: Order): Result<Order, NotPayable> {
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
    const answer = await callWallet(ports, aboutOrder(order), "prepare", (wallet) =>
      wallet.prepare(account, paymentRequest(order), { deadline: ports.policy.walletDeadline }),
    );
    if (answer.isOk()) {
      const storedResult = await ports.orders.attachPrepayment(keyOf(order), answer.value);
      if (storedResult.isErr()) return storedResult;
      const stored = storedResult.value;
      const now = ports.clock.now();
      if (stored !== undefined) {
        const payable = requirePayable(stored, now);
        if (payable.isErr()) return payable;
      }
      return ok({ ...(stored ?? order), prepayment: stored?.prepayment ?? answer.value });
    }
    const released = await ports.orders.releasePrepayment(keyOf(order), claimId);
    if (released.isErr()) return released;
    const failure = answer.error;
    if (failure.name === "wallet.rejected") {
      const recorded = await recordAlarm(ports, order, {
        ...eventWith("PREPAYMENT_REJECTED", { refusal: failure.detail }),
        evidence: ports.digest.sha256(failure.detail),
      });
      if (recorded.isErr()) return recorded;
    }
    const heeded = await applyPrepayRefusal(ports, order, failure);
    if (heeded.isErr()) return heeded;
    return err(prepareFailure(order, failure));
  });
}

// The caller can supply an address, so the failure names the parameter.
function prepareFailure({ payChannel }: Order, failure: WalletFailure) {
  if (failure.name !== "wallet.rejected" || failure.reason !== "payer-address")
    return walletFailure(payChannel, failure);
  const { parameter = "payerClientIp" } = failure;
  return { name: "payer-address.invalid", parameter } as const;
}

/** Refusals that an earlier attempt cannot have caused. */
const UNSENT: ReadonlySet<WalletRejected["reason"]> = new Set(["configuration", "payer-address"]);

/**
 * Queries the wallet after a refusal. Fails if the order turns out to be no longer payable.
 *
 * A refusal may be the response to a repetition of an attempt that succeeded, so the wallet's
 * statement about the order decides. Refusals for `configuration` or `payer-address` cause no
 * query.
 */
export function applyPrepayRefusal(
  ports: RefreshPorts,
  order: Order,
  failure: WalletFailure,
): ResultAsync<void, NotPayable | StorageFailure> {
  return attempt(async () => {
    if (failure.name === "wallet.rejected" && !UNSENT.has(failure.reason)) {
      const refreshed = await refreshOrder(ports, order, ports.policy.walletDeadline);
      if (refreshed.isOk()) {
        const payable = requirePayable(refreshed.value, ports.clock.now());
        if (payable.isErr()) return payable;
      }
    }
    return ok(undefined);
  });
}
