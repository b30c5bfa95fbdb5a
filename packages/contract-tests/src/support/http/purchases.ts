import {
  applyAbnormalRefund,
  applyAbnormalRefundInput,
  orThrow,
  type ServiceEvent,
  type Order,
  parseInput,
  type PayChannel,
  type PayTool,
  type Refund,
  refundOrder,
  refundOrderInput,
  settleRefund,
  settleRefundInput,
  type TimelineEvent,
  type WalletFailure,
} from "@tillkit/core";
import {
  adoptRefund,
  adoptRefundInput,
  closeOrder,
  closeOrderInput,
  withdrawRefund,
  withdrawRefundInput,
} from "@tillkit/core/operators";
import { outRefundNo, type WalletOrder } from "@tillkit/core/ports";
import { expect } from "vitest";
import { unique } from "../fixtures.js";
import { expectOk } from "../open-before-each.js";
import { type ServiceReply, type Caller, fetchAnswer } from "./caller.js";
import type { Service } from "./service.js";
import type { TestNotification } from "./test-host.js";

/** The body of a POST /order.json request. */
export type PurchaseBody = Readonly<Record<string, unknown>> & { readonly bizNo: string };

/** Returns a purchase of six yuan over WALLET_A with a unique `bizNo`. */
export function aPurchase(
  changes: Readonly<Record<string, unknown>> & { readonly bizNo?: string } = {},
): PurchaseBody {
  return {
    bizNo: unique("biz-"),
    customerIdentity: "customer-1",
    amount: 600,
    goodsTitle: "Thirty days",
    payChannel: "WALLET_A",
    ...changes,
  };
}

/** Creates an order and returns the stored order. Fails the test if the request fails. */
export async function created(service: Service, caller: Caller, purchase: PurchaseBody): Promise<Order> {
  const answer = await caller.post("/order.json", purchase);
  expect(answer.json).toMatchObject({ code: 0, msg: "success" });
  return storedOrder(service, caller, purchase.bizNo);
}

/** Returns the stored order. */
export async function storedOrder({ host }: Service, { appId }: Caller, bizNo: string): Promise<Order> {
  const order = await expectOk(host.orders.find({ appId, bizNo }));
  if (order === undefined) throw new Error(`No order ${bizNo}`);
  return order;
}

/** Returns the stored events of an order. */
export function timelineOf({ host }: Service, { appId, bizNo }: Order): Promise<readonly TimelineEvent[]> {
  return expectOk(host.orders.timeline({ appId, bizNo }));
}

/** Returns the wallet of an order. */
export function walletOf({ host }: Service, { payChannel }: { readonly payChannel: PayChannel }) {
  return host.wallets[payChannel];
}

/** Returns the wallet's notification of an order. */
export function notificationOf(
  service: Service,
  order: Order,
  changes?: Partial<WalletOrder>,
): TestNotification {
  return walletOf(service, order).notificationFor(order.id, changes);
}

/** Delivers a notification to the address that the wallet received with `order`. */
export function deliver(
  service: Service,
  order: Order,
  { headers, body }: TestNotification,
): Promise<ServiceReply> {
  const path = order.notifyUrl.slice(service.ports.notificationsUrl.length);
  return fetchAnswer(`${service.notificationsUrl}${path}`, {
    method: "POST",
    headers,
    body: Uint8Array.from(body),
  });
}

/** Pays an order and delivers the wallet's notification. */
export async function paid(service: Service, order: Order): Promise<void> {
  walletOf(service, order).pay(order.id);
  expectAccepted(service, order.payChannel, await deliver(service, order, notificationOf(service, order)));
}

/** Expects the response that acknowledges a notification. */
export function expectAccepted(service: Service, payChannel: PayChannel, answer: ServiceReply): void {
  expectWalletAnswer(service, payChannel, answer, true);
}

/** Expects the response after which the wallet sends the notification again. */
export function expectRefused(service: Service, payChannel: PayChannel, answer: ServiceReply): void {
  expectWalletAnswer(service, payChannel, answer, false);
}

function expectWalletAnswer(
  { host }: Service,
  payChannel: PayChannel,
  answer: ServiceReply,
  taken: boolean,
): void {
  const demanded = host.wallets[payChannel].answer(taken);
  expect({ status: answer.status, body: answer.text }).toEqual({
    status: demanded.status,
    body: demanded.body,
  });
  expect(answer.headers.get("content-type") ?? "").toContain(
    demanded.body === "" ? "" : demanded.contentType,
  );
}

/**
 * Refunds an order of `demo` as an operator.
 *
 * Refunds `amount` cents, or the whole remaining amount by default. Pass the `refundNo` of an
 * existing refund to repeat it. By default, the refund is new.
 */
export function refund(
  { ports, demo }: Service,
  bizNo: string,
  amount?: number,
  refundNo: string = unique("refund-"),
) {
  const raw = { bizNo, refundNo, amount, reason: "the customer changed their mind", operator: "han" };
  return parseInput(refundOrderInput(ports.policy), raw).asyncAndThen((input) =>
    refundOrder(ports, demo.appId, input),
  );
}

/** Refunds a part of the order in the wallet's console, without the service. */
export async function refundAtWallet(
  service: Service,
  order: Order,
  refundNo: string,
  amount: number,
): Promise<void> {
  const account = await expectOk(service.host.payTools.find(order.payToolId));
  if (account === undefined) throw new Error("The order's pay tool is gone.");
  const { id: outTradeNo, amount: orderAmount, notifyUrl } = order;
  const request = { outTradeNo, refundNo, amount, orderAmount, reason: "at the counter", notifyUrl };
  const made = await walletOf(service, order).refund(account, request, { deadline: 1_000 });
  expect(orThrow(made)).toMatchObject({ state: "CONFIRMED" });
}

/**
 * Pays an ABNORMAL refund out to the customer's card in the wallet's console, without the service.
 */
export async function payOutAtWallet(service: Service, order: Order, made: Refund): Promise<void> {
  const account = await expectOk(service.host.payTools.find(order.payToolId));
  const { walletRefundNo } = made;
  if (account === undefined || walletRefundNo === undefined) throw new Error("The refund is not abnormal.");
  const { id: outTradeNo, amount: orderAmount, notifyUrl } = order;
  const { amount, reason } = made;
  const refundNo = outRefundNo(order, made);
  const request = { outTradeNo, refundNo, walletRefundNo, amount, orderAmount, reason, notifyUrl };
  const card = {
    to: "customer",
    bankType: "CMB_DEBIT",
    bankAccount: "6225880137395123",
    realName: "Li",
  } as const;
  const paid = await walletOf(service, order).applyAbnormalRefund(account, request, card, {
    deadline: 1_000,
  });
  expect(orThrow(paid)).toMatchObject({ state: "PROCESSING" });
}

/** Pays out an ABNORMAL refund of `demo` as an operator. */
export function payOut(
  { ports, demo }: Service,
  bizNo: string,
  parameters: Readonly<Record<string, string>> & { readonly refundNo: string; readonly payTo: string },
) {
  const raw = { bizNo, reason: "their card was closed", operator: "kim", ...parameters };
  return parseInput(applyAbnormalRefundInput(ports.policy), raw).asyncAndThen((input) =>
    applyAbnormalRefund(ports, demo.appId, input),
  );
}

/** Withdraws as an operator a refund of `demo` that the wallet does not have. */
export function withdraw({ ports, demo }: Service, bizNo: string, refundNo: string) {
  const raw = { bizNo, refundNo, reason: "paid in cash", operator: "kim" };
  return parseInput(withdrawRefundInput(ports.policy), raw).asyncAndThen((input) =>
    withdrawRefund(ports, demo.appId, input),
  );
}

/** Records as an operator that the customer of a refund of `demo` was paid by other means. */
export function settle({ ports, demo }: Service, bizNo: string, refundNo: string, evidence?: string) {
  const raw = { bizNo, refundNo, reason: "in cash", operator: "kim", evidence };
  return parseInput(settleRefundInput(ports.policy), raw).asyncAndThen((input) =>
    settleRefund(ports, demo.appId, input),
  );
}

/** Adopts as an operator a refund of `demo` that was made at the wallet. */
export function adopt({ ports, demo }: Service, bizNo: string, walletRefundNo: string) {
  const raw = { bizNo, walletRefundNo, reason: "seen in the console", operator: "kim" };
  return parseInput(adoptRefundInput(ports.policy), raw).asyncAndThen((input) =>
    adoptRefund(ports, demo.appId, input),
  );
}

/** Returns the stored refunds of an order. */
export function refundsOf({ host }: Service, { appId, bizNo }: Order): Promise<readonly Refund[]> {
  return expectOk(host.refunds.list({ appId, bizNo }));
}

/** Returns the only refund of an order. Fails the test if there is not exactly one. */
export async function onlyRefundOf(service: Service, order: Order): Promise<Refund> {
  const [only, ...more] = await refundsOf(service, order);
  if (only === undefined || more.length > 0) throw new Error(`${order.bizNo} has not one refund`);
  return only;
}

/** Closes an order of `demo` as an operator. */
export function close({ ports, demo }: Service, bizNo: string) {
  const raw = { bizNo, reason: "asked to", operator: "han" };
  return parseInput(closeOrderInput(ports.policy), raw).asyncAndThen((input) =>
    closeOrder(ports, demo.appId, input),
  );
}

/** Returns the pay tool of `demo` for a wallet. */
export async function toolOf({ ports, demo }: Service, payChannel: PayChannel): Promise<PayTool> {
  const tool = await expectOk(ports.payTools.current(demo.appId, payChannel));
  if (tool === undefined) throw new Error(`No pay tool at ${payChannel}`);
  return tool;
}

/** Returns how often the service made this call to a wallet. */
export function callsOf(
  { serviceEvents }: Service,
  call: Extract<ServiceEvent, { type: "wallet.called" }>["call"],
): number {
  return serviceEvents.filter((event) => event.type === "wallet.called" && event.call === call).length;
}

/** Requests GET /detail.json for an order. */
export function detail(
  caller: Caller,
  { bizNo, customerIdentity }: Pick<Order, "bizNo" | "customerIdentity">,
) {
  return caller.get("/detail.json", { bizNo, customerIdentity });
}

/** The failure of a wallet call with an unknown outcome. */
export const UNKNOWN = {
  name: "wallet.unknown",
  cause: "timeout",
  detail: "no answer in time",
} as const satisfies WalletFailure;

/** The failure of a wallet call that the wallet refused with a signature. */
export const REJECTED = {
  name: "wallet.rejected",
  reason: "other",
  trusted: true,
  detail: "not today",
} as const satisfies WalletFailure;
