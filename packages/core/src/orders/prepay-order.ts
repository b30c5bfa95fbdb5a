import { err, ok, type ResultAsync } from "neverthrow";
import type { FailureOf, StorageFailure, StorageFailureName } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { aboutOrder, callWallet, walletFailure } from "../wallets/call-wallet.js";
import { claimLease } from "../wallets/claim-lease.js";
import { eventWith } from "./event-details.js";
import type { PaymentRequest, PayPayload, WalletFailure, WalletRejected } from "../wallets/wallet.js";
import { type Order, keyOf } from "./order.js";
import type { Prepayment } from "../wallets/prepayment.js";
import { payloadTime } from "../wallets/payload-time.js";
import { refreshOrder, type RefreshPorts } from "./refresh-order.js";
import { type NotPayable, requirePayable } from "./require-payable.js";
import { recordAlarm } from "./order-alarm.js";

/** Ports of {@link prepayOrder}. */
export type PrepayPorts = RefreshPorts & Pick<Ports, "digest">;
/** Reasons why {@link prepayOrder} returns no prepayment. */
export type PrepayFailure =
  | NotPayable
  | ReturnType<typeof walletFailure>
  | FailureOf<"pay-tool.not-configured" | "payer-address.invalid" | StorageFailureName>;

/** A PENDING order and the payload that opens its payment. */
export interface Checkout {
  readonly order: Order;
  readonly payload: PayPayload;
}

/** An order with a prepayment. */
type PrepaidOrder = Order & { readonly prepayment: Prepayment };

const SHORTEST_PAUSE = 5;
const LONGEST_PAUSE = 100;

/**
 * Returns the members to store with a new order: its prepayment, or the claim to get one.
 *
 * An Alipay order needs no call to the wallet, so its prepayment is created here. A WeChat Pay
 * order is stored with a claim. The caller that creates the order holds this claim and calls the
 * wallet next.
 */
export function firstPrepayment(
  ports: Pick<PrepayPorts, "wallets" | "policy">,
  order: Order,
  account: WalletAccount,
  claimId: string,
): Pick<Order, "prepayment" | "prepaymentClaim"> {
  const { payChannel, gmtCreate: now } = order;
  const prepayment = ports.wallets[payChannel].localPrepayment(account, order, now);
  return prepayment === undefined
    ? { prepaymentClaim: { id: claimId, until: now + claimLease(ports.policy) } }
    : { prepayment };
}

/** Returns the order with the payload that opens its payment. Gets a prepayment if necessary. */
export function checkOut(
  ports: PrepayPorts,
  order: Order,
  account: WalletAccount,
  claimId: string,
): ResultAsync<Checkout, PrepayFailure> {
  return attempt(async () => {
    const request = paymentRequest(order);
    const prepaid = await prepayOrder(ports, order, { account, claimId, request });
    if (prepaid.isErr()) return prepaid;
    const { prepayment, payChannel } = prepaid.value;
    const at = payloadTime(prepayment, ports.clock.now());
    const payload = await ports.wallets[payChannel].payload(account, request, prepayment, at);
    if (payload.isOk()) return ok({ order: prepaid.value, payload: payload.value });
    const refusal = await applyPrepayRefusal(ports, prepaid.value, payload.error);
    return refusal.isErr() ? refusal : err(walletFailure(payChannel, payload.error));
  });
}

/**
 * Returns the payment request that the wallet gets for this order.
 *
 * The result never changes for an order, even if the host moves to another URL: it uses the stored
 * URLs.
 */
export function paymentRequest(order: Order): PaymentRequest {
  const { id, amount, goodsTitle, paySource, payerId, notifyUrl, returnUrl, expiresAt } = order;
  const payer = payerId === undefined ? {} : { payerId };
  const request = {
    outTradeNo: id,
    amount,
    goodsTitle,
    paySource,
    ...payer,
    notifyUrl,
    returnUrl,
    expiresAt,
  };
  const options = order.walletOptions?.sent;
  return options === undefined ? request : { ...request, options };
}

/** Parameters of {@link prepayOrder}. */
interface PrepayCall {
  readonly account: WalletAccount;
  /**
   * The id under which the prepayment is claimed.
   *
   * The call that stored the order already holds the claim with this id.
   */
  readonly claimId: string;
  readonly request: PaymentRequest;
}

/**
 * Returns the order with a usable prepayment, and requests one from the wallet if necessary.
 *
 * At most one caller across all processes calls the wallet. The others poll storage for the result
 * of this call. If storage has no result after the duration of one claim, they fail with the
 * wallet's "unavailable" failure. If a process dies, its claim expires, and another caller repeats
 * the request for the same order.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/order-creation.md |
 *   One order and one prepayment per bizNo}
 */
export function prepayOrder(
  ports: PrepayPorts,
  order: Order,
  call: PrepayCall,
): ResultAsync<PrepaidOrder, PrepayFailure> {
  return attempt(async () => {
    const { claimId } = call;
    const lease = claimLease(ports.policy);
    const startedAt = ports.clock.now();
    let waitTime = 0;
    let current = order;
    for (let pause = SHORTEST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const now = ports.clock.now();
      const payable = requirePayable(current, now);
      if (payable.isErr()) return payable;
      if (isPrepaid(current, now)) return ok(current);
      if (current.prepaymentClaim?.id === claimId) return requestPrepayment(ports, current, call);
      const claim = { id: claimId, until: now + lease };
      const outcome = await ports.orders.claimPrepayment(keyOf(order), claim, now);
      if (outcome.isErr()) return outcome;
      if (outcome.value?.granted === true) return requestPrepayment(ports, outcome.value.order, call);
      current = outcome.value?.order ?? current;
      if (isPrepaid(current, now)) continue;
      // Counts the pauses as well, so that the loop ends even if the clock stands still.
      if (Math.max(now - startedAt, waitTime) >= lease) {
        const open = requirePayable(current, now);
        return open.andThen(() => err(walletFailure(order.payChannel, NO_PREPAYMENT_IN_TIME)));
      }
      await ports.clock.sleep(pause);
      waitTime += pause;
    }
  });
}

function isPrepaid(order: Order, now: number): order is PrepaidOrder {
  return order.prepayment !== undefined && now < order.prepayment.validUntil;
}

const NO_PREPAYMENT_IN_TIME: WalletFailure = {
  name: "wallet.unknown",
  cause: "timeout",
  detail: "another process is still calling the wallet",
};

function requestPrepayment(
  ports: PrepayPorts,
  order: Order,
  { account, claimId, request }: PrepayCall,
): ResultAsync<PrepaidOrder, PrepayFailure> {
  return attempt(async () => {
    const answer = await callWallet(ports, aboutOrder(order), "prepare", (wallet) =>
      wallet.prepare(account, request, { deadline: ports.policy.walletDeadline }),
    );
    if (answer.isOk()) {
      const current = await ports.orders.attachPrepayment(keyOf(order), answer.value);
      if (current.isErr()) return current;
      const now = ports.clock.now();
      if (current.value !== undefined) {
        const payable = requirePayable(current.value, now);
        if (payable.isErr()) return payable;
      }
      return ok({ ...(current.value ?? order), prepayment: current.value?.prepayment ?? answer.value });
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
    const refusal = await applyPrepayRefusal(ports, order, failure);
    if (refusal.isErr()) return refusal;
    return err(prepareFailure(order, failure));
  });
}

// The caller can send the payer's address, so the failure names the parameter.
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
 * An earlier attempt may have succeeded, and the wallet may refuse its repetition. So the wallet's
 * statement about the order decides. Refusals for `configuration` or `payer-address` cause no
 * query.
 */
function applyPrepayRefusal(
  ports: RefreshPorts,
  order: Order,
  failure: WalletFailure,
): ResultAsync<void, NotPayable | StorageFailure> {
  return attempt(async () => {
    if (failure.name === "wallet.rejected" && !UNSENT.has(failure.reason)) {
      const current = await refreshOrder(ports, order, ports.policy.walletDeadline);
      if (current.isOk()) {
        const payable = requirePayable(current.value, ports.clock.now());
        if (payable.isErr()) return payable;
      }
    }
    return ok(undefined);
  });
}
