import {
  applyAbnormalRefund,
  applyAbnormalRefundInput,
  closeOrder,
  closeOrderInput,
  type Notice,
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
  type WalletOrder,
} from "@tillkit/core";
import { expect } from "vitest";
import { unique } from "../fixtures.js";
import { expectOk } from "../opening.js";
import { type Answer, type Caller, fetchAnswer } from "./caller.js";
import type { Service } from "./service.js";
import type { SignedNotification } from "./test-host.js";

/** The body of a POST /order.json as a test makes it. */
export type Purchase = Readonly<Record<string, unknown>> & { readonly bizNo: string };

/** A purchase of six yuan over WALLET_A with its own `bizNo`. */
export function aPurchase(
  changes: Readonly<Record<string, unknown>> & { readonly bizNo?: string } = {},
): Purchase {
  return {
    bizNo: unique("biz-"),
    customerIdentity: "customer-1",
    amount: 600,
    goodsTitle: "Thirty days",
    payChannel: "WALLET_A",
    ...changes,
  };
}

/** Creates an order that must succeed, and returns what the service stored. */
export async function created(service: Service, caller: Caller, purchase: Purchase): Promise<Order> {
  const answer = await caller.post("/order.json", purchase);
  expect(answer.json).toMatchObject({ code: 0, msg: "success" });
  return storedOrder(service, caller, purchase.bizNo);
}

/** The order as it is stored. */
export async function storedOrder({ host }: Service, { appId }: Caller, bizNo: string): Promise<Order> {
  const order = await expectOk(host.orders.find({ appId, bizNo }));
  if (order === undefined) throw new Error(`No order ${bizNo}`);
  return order;
}

/** The order's events, from storage. */
export function timelineOf({ host }: Service, { appId, bizNo }: Order): Promise<readonly TimelineEvent[]> {
  return expectOk(host.orders.timeline({ appId, bizNo }));
}

/** The wallet that takes the order's money. */
export function walletOf({ host }: Service, { payChannel }: { readonly payChannel: PayChannel }) {
  return host.wallets[payChannel];
}

/** The wallet's notification of the order, as it would be delivered. */
export function notificationOf(
  service: Service,
  order: Order,
  changes?: Partial<WalletOrder>,
): SignedNotification {
  return walletOf(service, order).notificationFor(order.id, changes);
}

/** Delivers a notification to the address the wallet was given with `order`. */
export function deliver(
  service: Service,
  order: Order,
  { headers, body }: SignedNotification,
): Promise<Answer> {
  const path = order.notifyUrl.slice(service.ports.notificationsUrl.length);
  return fetchAnswer(`${service.notificationsUrl}${path}`, {
    method: "POST",
    headers,
    body: Uint8Array.from(body),
  });
}

/** The customer pays and the wallet's notification arrives. */
export async function paid(service: Service, order: Order): Promise<void> {
  walletOf(service, order).pay(order.id);
  expectTaken(service, order.payChannel, await deliver(service, order, notificationOf(service, order)));
}

/** The answer after which the wallet is done with a notification. */
export function expectTaken(service: Service, payChannel: PayChannel, answer: Answer): void {
  expectWalletAnswer(service, payChannel, answer, true);
}

/** The answer after which the wallet tries again later. */
export function expectRefused(service: Service, payChannel: PayChannel, answer: Answer): void {
  expectWalletAnswer(service, payChannel, answer, false);
}

function expectWalletAnswer({ host }: Service, payChannel: PayChannel, answer: Answer, taken: boolean): void {
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
 * An operator refunds an order of `demo`: `amount` cents, or all that is left; a new refund unless `refundNo` is of one that was asked for before.
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

/** An operator pays an abnormal refund of an order of `demo` out. */
export function payOut(
  { ports, demo }: Service,
  bizNo: string,
  said: Readonly<Record<string, string>> & { readonly refundNo: string; readonly payTo: string },
) {
  const raw = { bizNo, reason: "their card was closed", operator: "kim", ...said };
  return parseInput(applyAbnormalRefundInput(ports.policy), raw).asyncAndThen((input) =>
    applyAbnormalRefund(ports, demo.appId, input),
  );
}

/**
 * An operator records that the customer of a refund of an order of `demo` was paid by other means.
 */
export function settle({ ports, demo }: Service, bizNo: string, refundNo: string) {
  const raw = { bizNo, refundNo, reason: "in cash", operator: "kim" };
  return parseInput(settleRefundInput(ports.policy), raw).asyncAndThen((input) =>
    settleRefund(ports, demo.appId, input),
  );
}

/** The order's refunds, from storage. */
export function refundsOf({ host }: Service, { appId, bizNo }: Order): Promise<readonly Refund[]> {
  return expectOk(host.refunds.list({ appId, bizNo }));
}

/** The order's only refund. */
export async function onlyRefundOf(service: Service, order: Order): Promise<Refund> {
  const [only, ...more] = await refundsOf(service, order);
  if (only === undefined || more.length > 0) throw new Error(`${order.bizNo} has not one refund`);
  return only;
}

/** An operator closes an order of `demo`. */
export function close({ ports, demo }: Service, bizNo: string) {
  const raw = { bizNo, reason: "asked to", operator: "han" };
  return parseInput(closeOrderInput(ports.policy), raw).asyncAndThen((input) =>
    closeOrder(ports, demo.appId, input),
  );
}

/** The tool of `demo` at a wallet. */
export async function toolOf({ ports, demo }: Service, payChannel: PayChannel): Promise<PayTool> {
  const tool = await expectOk(ports.payTools.current(demo.appId, payChannel));
  if (tool === undefined) throw new Error(`No pay tool at ${payChannel}`);
  return tool;
}

/** How often a wallet was called so. */
export function callsOf(
  { notices }: Service,
  call: Extract<Notice, { type: "wallet.called" }>["call"],
): number {
  return notices.filter((notice) => notice.type === "wallet.called" && notice.call === call).length;
}

/** GET /detail.json of the order. */
export function detail(
  caller: Caller,
  { bizNo, customerIdentity }: Pick<Order, "bizNo" | "customerIdentity">,
) {
  return caller.get("/detail.json", { bizNo, customerIdentity });
}

/** A call to a wallet that came to nothing definite. */
export const UNKNOWN = {
  name: "wallet.unknown",
  cause: "timeout",
  detail: "no answer in time",
} as const satisfies WalletFailure;

/** A definite no of a wallet. */
export const REJECTED = {
  name: "wallet.rejected",
  reason: "other",
  proven: true,
  detail: "not today",
} as const satisfies WalletFailure;
