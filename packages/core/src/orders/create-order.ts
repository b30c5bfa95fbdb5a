import { err, ok, okAsync, type ResultAsync } from "neverthrow";
import type { App } from "../apps/app.js";
import { activeApp } from "../apps/active-app.js";
import { fail, type FailureOf } from "../errors/failure.js";
import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { newId } from "../shared/random.js";
import { findOrderAccount } from "../pay-tools/find-order-account.js";
import { cachedFirst, withProvider } from "../pay-tools/with-provider.js";
import { eventWith } from "./event-details.js";
import { paymentRequest } from "./payment-request.js";
import { claimLease } from "../wallets/claim-lease.js";
import { walletFailure } from "../wallets/call-wallet.js";
import { notificationUrl, returnUrl } from "../wallets/notification-address.js";
import type { PayPayload } from "../wallets/wallet.js";
import { storedCustomerName } from "./customer-name.js";
import { forbiddenIdentity } from "./identity-rules.js";
import { differingOptions, orderOptions } from "./order-options.js";
import { payerIdOf } from "./payer-id.js";
import type { Order, OrderService } from "./order.js";
import {
  applyPrepayRefusal,
  type PrepaidOrder,
  prepayOrder,
  type PrepayFailure,
  type PrepayPorts,
  requirePayable,
} from "./prepay-order.js";
import { refreshOrder } from "./refresh-order.js";
import type { CreateOrderInput } from "./create-order-input.js";

/** Ports of {@link createOrder}. */
export type CreateOrderPorts = PrepayPorts & Pick<Ports, "apps" | "serviceTypes" | "notificationsUrl">;
/** Reasons why {@link createOrder} returns no payload. */
export type CreateOrderFailure =
  | PrepayFailure
  | FailureOf<
      | "credentials.invalid"
      | "customer-identity.required"
      | "customer-identity.forbidden"
      | "parameter.missing"
      | "pay-tool.not-ready"
      | "service-type.unknown"
      | "service-type.retired"
      | "biz-no.conflict"
    >;

/** A PENDING order and the payload that opens its payment. */
export interface Checkout {
  readonly order: Order;
  readonly payload: PayPayload;
}

/**
 * Milliseconds for which all callers get the same payload of a prepayment.
 *
 * After that, each call signs a new payload.
 */
const SHARED_PAYLOAD = 60_000;

const CONFIGURATION_FAILURES: ReadonlySet<string> = new Set([
  "pay-tool.not-configured",
  "pay-tool.not-ready",
  "service-type.unknown",
  "service-type.retired",
]);

/**
 * Creates an order, or returns the existing order for the same `bizNo`.
 *
 * {@link createOrderInput} checks each parameter, and {@link OrderStore.insertOnce} stores one
 * order per `bizNo`. Safe to retry: concurrent and repeated calls with equal parameters share one
 * order and one prepayment. After a failure of the wallet, a retry continues with the stored order.
 *
 * @returns the order and the payload that opens the wallet. Fails with `biz-no.conflict` if the
 *   parameters differ from those of the stored order, and with `order.already-paid`, `order.closed`
 *   or `order.refunded` if the order can no longer be paid.
 * @example
 * ```ts
 * import { createOrder, createOrderInput, parseInput } from "@tillkit/core";
 *
 * const created = await parseInput(createOrderInput(ports.policy), {
 *   bizNo: "order-1001",
 *   customerIdentity: "customer-7",
 *   amount: 600,
 *   goodsTitle: "30 days of membership",
 *   payChannel: "WALLET_A",
 * }).asyncAndThen((input) => createOrder(ports, appId, input));
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/order-creation.md |
 *   One order and one prepayment per bizNo}
 */
export function createOrder(
  ports: CreateOrderPorts,
  appId: string,
  input: CreateOrderInput,
): ResultAsync<Checkout, CreateOrderFailure> {
  return attempt(async () => {
    const app = await activeApp(ports, appId);
    return app.isErr() ? app : createOrderForApp(ports, app.value, input);
  });
}

/** Like {@link createOrder}, for an app that is already authenticated and active. */
export function createOrderForApp(
  ports: CreateOrderPorts,
  app: App,
  input: CreateOrderInput,
): ResultAsync<Checkout, CreateOrderFailure> {
  return attempt(async () => {
    const claimId = newId(ports);
    const kept = await keptOrder(ports, app, input, claimId);
    if (kept.isErr()) return kept;
    const current = await repeatable(ports, kept.value.order, input);
    if (current.isErr()) return current;
    const account = await holderOf(ports, current.value, kept.value.account);
    if (account.isErr()) return account;
    if (account.value.signStatus !== "OK") return fail("pay-tool.not-ready");
    const prepaid = await prepayOrder(ports, current.value, account.value, claimId);
    if (prepaid.isErr()) return prepaid;
    const payload = await payloadOf(ports, prepaid.value, account.value);
    if (payload.isErr()) return payload;
    return ok({ order: prepaid.value, payload: payload.value });
  });
}

/**
 * Stores the order of this `bizNo`, or finds it.
 *
 * If the app may no longer create such an order (pay tool or service type missing, service type
 * retired, or a check of the identity enabled), an existing order is still returned.
 */
async function keptOrder(ports: CreateOrderPorts, app: App, input: CreateOrderInput, claimId: string) {
  const drafted = await draftFor(ports, app, input, claimId);
  if (drafted.isErr()) {
    const failure = drafted.error;
    const isForbidden = failure.name === "customer-identity.forbidden";
    if (!isForbidden && !CONFIGURATION_FAILURES.has(failure.name)) return err(failure);
    const found = await ports.orders.find({ appId: app.appId, bizNo: input.bizNo });
    if (found.isErr()) return found;
    const order = found.value;
    if (order === undefined || (isForbidden && order.customerIdentity !== input.customerIdentity))
      return err(failure);
    return ok({ order, account: undefined });
  }
  const { draft, account } = drafted.value;
  const entry = {
    ...eventWith("CREATED", { amount: draft.amount }),
    at: draft.gmtCreate,
    actor: "caller",
    to: "PENDING",
    alarm: false,
  } as const;
  const stored = await ports.orders.insertOnce(draft, entry);
  return stored.isErr() ? stored : ok({ order: stored.value, account });
}

async function draftFor(ports: CreateOrderPorts, app: App, input: CreateOrderInput, claimId: string) {
  const identity = checkIdentity(ports, app, input);
  if (identity.isErr()) return identity;
  const account = await payableAccount(ports, app, input);
  if (account.isErr()) return account;
  const service = await serviceOf(ports, app, input);
  if (service.isErr()) return service;
  const draft = draftOrder(ports, app, account.value, service.value, input, claimId);
  return ok({ draft, account: account.value });
}

/** Returns the stored order if the request equals it and it can still be paid. */
async function repeatable(ports: CreateOrderPorts, stored: Order, input: CreateOrderInput) {
  const same = sameRequest(stored, input);
  if (same.isErr()) return same;
  const payable = requirePayable(await settleExpired(ports, stored), ports.clock.now());
  // Another service made the payload of an imported order. Tillkit has no notification URL for it.
  return payable.isOk() && stored.notifyUrl === "" ? fail("biz-no.conflict", { fields: ["bizNo"] }) : payable;
}

function checkIdentity(ports: Pick<Ports, "policy">, app: App, input: CreateOrderInput) {
  const { customerIdentity, bizNo } = input;
  if (customerIdentity === undefined)
    return app.accountBased ? fail("customer-identity.required") : ok(undefined);
  const sent = { customerIdentity, bizNo, payerId: payerIdOf(input) };
  const rule = forbiddenIdentity(app, sent, ports.policy);
  return rule === undefined ? ok(undefined) : fail("customer-identity.forbidden", { rule });
}

async function payableAccount(
  ports: Pick<Ports, "payTools">,
  { appId }: App,
  { payChannel }: CreateOrderInput,
) {
  const cached = ports.payTools.getCachedCurrent(appId, payChannel);
  // A cached account may take money. Only storage decides that there is none or that it is not
  // ready.
  if (cached?.signStatus === "OK") return withProvider(cachedFirst(ports.payTools), cached);
  const current = await ports.payTools.current(appId, payChannel);
  if (current.isErr()) return current;
  if (current.value === undefined) return fail("pay-tool.not-configured");
  return current.value.signStatus === "OK"
    ? withProvider(cachedFirst(ports.payTools), current.value)
    : fail("pay-tool.not-ready");
}

async function serviceOf(
  ports: Pick<Ports, "serviceTypes">,
  { appId }: App,
  { serviceTypeNo, customerIdentity }: CreateOrderInput,
) {
  if (serviceTypeNo === undefined) return ok(undefined);
  // A timed service belongs to a customer, also in an app without customer accounts.
  if (customerIdentity === undefined) return fail("parameter.missing", { parameter: "customerIdentity" });
  const type = await ports.serviceTypes.find(appId, serviceTypeNo);
  if (type.isErr()) return type;
  if (type.value === undefined) return fail("service-type.unknown");
  const { serviceName, durationMs, retiredAt } = type.value;
  if (retiredAt !== undefined) return fail("service-type.retired");
  return ok({ serviceTypeNo, serviceName, durationMs });
}

/**
 * Returns the merchant account that receives the money of `order`.
 *
 * It differs from `drafted` if the order was created with an earlier account.
 */
function holderOf(ports: CreateOrderPorts, order: Order, drafted: WalletAccount | undefined) {
  return order.payToolId === drafted?.id ? okAsync(drafted) : findOrderAccount(ports, order);
}

function draftOrder(
  ports: CreateOrderPorts,
  app: App,
  account: WalletAccount,
  service: OrderService | undefined,
  input: CreateOrderInput,
  claimId: string,
): Order {
  const now = ports.clock.now();
  const { notificationsUrl } = ports;
  const { payChannel, id: payToolId } = account;
  const { bizNo, serviceNo, attachData, sourceFrom } = input;
  const order = withDefined(
    {
      bizNo,
      appId: app.appId,
      id: newId(ports),
      customerIdentity: input.customerIdentity ?? "",
      amount: input.amount,
      goodsTitle: input.goodsTitle,
      payChannel: input.payChannel,
      paySource: input.paySource,
      paymentStatus: "PENDING",
      payToolId,
      notifyUrl: notificationUrl(notificationsUrl, { payChannel, payToolId, bizNo }),
      returnUrl: returnUrl(notificationsUrl, payChannel),
      expiresAt: now + ports.policy.orderTtl,
      refundedAmount: 0,
      nextQueryAt: now + (ports.policy.querySchedule[0] ?? ports.policy.orderTtl),
      gmtCreate: now,
      gmtModified: now,
    } as const,
    {
      payerId: payerIdOf(input),
      customerName: storedCustomerName(input.customerName, ports.policy),
      serviceNo,
      service,
      attachData,
      sourceFrom,
      walletOptions: orderOptions(account.walletOptions, input.walletOptions, input.paySource),
    },
  );
  const prepayment = ports.wallets[order.payChannel].localPrepayment(account, paymentRequest(order), now);
  const prepaymentClaim = { id: claimId, until: now + claimLease(ports.policy) };
  return withDefined(order, prepayment === undefined ? { prepaymentClaim } : { prepayment });
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * Adds the members of `optional` that are not `undefined` to `target`, and returns `target`.
 *
 * Adding members to one object costs a fraction of spreading many small objects.
 */
function withDefined<T extends object, O extends object>(target: T, optional: O): T & Defined<O>;
function withDefined(target: Record<string, unknown>, optional: Readonly<Record<string, unknown>>) {
  for (const name of Object.keys(optional)) {
    if (optional[name] !== undefined) target[name] = optional[name];
  }
  return target;
}

const COMPARED = [
  "amount",
  "goodsTitle",
  "payChannel",
  "paySource",
  "serviceNo",
  "attachData",
  "sourceFrom",
] as const;

// `customerName` is a label. It may differ between retries, and a part of the names is not stored.
function sameRequest(stored: Order, input: CreateOrderInput) {
  const fields: string[] = COMPARED.filter((field) => stored[field] !== input[field]);
  // A different `paySource` implies a different `payerId`, so only `paySource` is reported then.
  if (stored.paySource === input.paySource && stored.payerId !== payerIdOf(input)) fields.push("payerId");
  if (stored.customerIdentity !== (input.customerIdentity ?? "")) fields.push("customerIdentity");
  if (stored.service?.serviceTypeNo !== input.serviceTypeNo) fields.push("serviceTypeNo");
  // Only what the creations gave is compared: the defaults of the pay tool may have changed.
  const options = differingOptions(stored.walletOptions?.given, input.walletOptions);
  fields.push(...options.map((name) => `walletOptions.${name}`));
  return fields.length > 0 ? fail("biz-no.conflict", { fields }) : ok(undefined);
}

// If the order has expired but is still PENDING, the wallet decides. If the wallet does not
// respond, the order stays unchanged.
async function settleExpired(ports: CreateOrderPorts, order: Order): Promise<Order> {
  const open = order.paymentStatus === "PENDING" && ports.clock.now() >= order.expiresAt;
  return open ? refreshOrder(ports, order, ports.policy.walletDeadline).unwrapOr(order) : order;
}

async function payloadOf(ports: CreateOrderPorts, order: PrepaidOrder, account: WalletAccount) {
  const { prepayment, payChannel } = order;
  const now = ports.clock.now();
  const at = now < prepayment.issuedAt + SHARED_PAYLOAD ? prepayment.issuedAt : now;
  const request = paymentRequest(order);
  const payload = await ports.wallets[payChannel].payload(account, request, prepayment, at);
  if (payload.isOk()) return ok(payload.value);
  const heeded = await applyPrepayRefusal(ports, order, payload.error);
  if (heeded.isErr()) return heeded;
  return err(walletFailure(payChannel, payload.error));
}
