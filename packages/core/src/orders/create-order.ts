import { err, ok, type ResultAsync } from "neverthrow";
import type { App } from "../apps/app.js";
import { activeApp } from "../apps/active-app.js";
import { fail, type FailureOf } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { orderedService } from "../services/ordered-service.js";
import { attempt } from "../shared/attempt.js";
import { newId } from "../shared/random.js";
import { findOrderAccount } from "../pay-tools/find-order-account.js";
import { findReadyPayTool, requireReadyPayTool } from "../pay-tools/require-ready-pay-tool.js";
import { eventWith } from "./event-details.js";
import { notificationUrl, returnUrl } from "../wallets/notification-address.js";
import { storedCustomerName } from "./customer-name.js";
import { checkIdentity } from "./identity-rules.js";
import { orderOptions } from "./order-options.js";
import { payerIdOf } from "./payer-id.js";
import { requirePayableNow } from "./require-payable.js";
import { requireSameRequest } from "./require-same-request.js";
import type { Order } from "./order.js";
import {
  type Checkout,
  checkOut,
  firstPrepayment,
  type PrepayFailure,
  type PrepayPorts,
} from "./prepay-order.js";
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

const CONFIGURATION_FAILURES: ReadonlySet<string> = new Set([
  "pay-tool.not-configured",
  "pay-tool.not-ready",
  "service-type.unknown",
  "service-type.retired",
]);

/**
 * Creates an order, or returns the existing order for the same `bizNo`.
 *
 * {@link createOrderInput} checks each parameter, and `OrderStore.insertOnce` stores one
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
    const record = await keptOrder(ports, app, input, claimId);
    if (record.isErr()) return record;
    const same = requireSameRequest(record.value.order, input);
    if (same.isErr()) return same;
    const current = await requirePayableNow(ports, record.value.order);
    if (current.isErr()) return current;
    // Only an imported order has no notification URL. Another service made its payload.
    if (current.value.notifyUrl === "") return fail("biz-no.conflict", { fields: ["bizNo"] });
    // An order that was created with an earlier account is paid to that account.
    const account =
      current.value.payToolId === record.value.account?.id
        ? ok(record.value.account)
        : await findOrderAccount(ports, current.value);
    if (account.isErr()) return account;
    const ready = requireReadyPayTool(account.value);
    if (ready.isErr()) return ready;
    return checkOut(ports, current.value, ready.value, claimId);
  });
}

/**
 * Stores the order of this `bizNo`, or finds it.
 *
 * Returns an existing order even if the app could not create it now. For example, the pay tool is
 * missing or not ready, the service type is missing or retired, or the app has since enabled an
 * identity check that the identity of the order does not pass.
 */
async function keptOrder(ports: CreateOrderPorts, app: App, input: CreateOrderInput, claimId: string) {
  const plan = await draftOrder(ports, app, input, claimId);
  if (plan.isErr()) {
    const failure = plan.error;
    const isForbidden = failure.name === "customer-identity.forbidden";
    if (!isForbidden && !CONFIGURATION_FAILURES.has(failure.name)) return err(failure);
    const order = await ports.orders.find({ appId: app.appId, bizNo: input.bizNo });
    if (order.isErr()) return order;
    if (order.value === undefined || (isForbidden && order.value.customerIdentity !== input.customerIdentity))
      return err(failure);
    return ok({ order: order.value, account: undefined });
  }
  const { draft, account } = plan.value;
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

/** Returns the order to store, and the account that receives its money. */
async function draftOrder(ports: CreateOrderPorts, app: App, input: CreateOrderInput, claimId: string) {
  const { bizNo, customerIdentity, serviceNo, attachData, sourceFrom } = input;
  const payerId = payerIdOf(input);
  const identity = checkIdentity(app, { customerIdentity, bizNo, payerId }, ports.policy);
  if (identity.isErr()) return identity;
  const account = await findReadyPayTool(ports, app.appId, input.payChannel);
  if (account.isErr()) return account;
  const service = await orderedService(ports, app.appId, input);
  if (service.isErr()) return service;
  const now = ports.clock.now();
  const { notificationsUrl } = ports;
  const { payChannel, id: payToolId } = account.value;
  const order = withDefined(
    {
      bizNo,
      appId: app.appId,
      id: newId(ports),
      customerIdentity: customerIdentity ?? "",
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
      payerId,
      customerName: storedCustomerName(input.customerName, ports.policy),
      serviceNo,
      service: service.value,
      attachData,
      sourceFrom,
      walletOptions: orderOptions(account.value.walletOptions, input.walletOptions, input.paySource),
    },
  );
  const draft: Order = withDefined(order, firstPrepayment(ports, order, account.value, claimId));
  return ok({ draft, account: account.value });
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * Adds the members of `optional` that are not `undefined` to `target`, and returns `target`.
 *
 * Adding members to one object is much faster than spreading many small objects.
 */
function withDefined<T extends object, O extends object>(target: T, optional: O): T & Defined<O>;
function withDefined(target: Record<string, unknown>, optional: Readonly<Record<string, unknown>>) {
  for (const name of Object.keys(optional)) {
    if (optional[name] !== undefined) target[name] = optional[name];
  }
  return target;
}
