import { randomBytes } from "node:crypto";
import { alipayWallet } from "@tillkit/alipay";
import { expectOk } from "@tillkit/contract-tests";
import {
  type Checkout,
  configurePayTool,
  createApp,
  createOrder,
  type CreateOrderFailure,
  createOrderInput,
  createServiceType,
  getOrder,
  getOrderInput,
  orThrow,
  type ServiceEvent,
  type Order,
  PAY_CHANNELS,
  parseInput,
  type PayChannel,
  type PaySource,
  policyWith,
  type Ports,
  reconcileOrders,
  refundOrder,
  refundOrderInput,
} from "@tillkit/core";
import { ERROR_CATALOG, type FailureName } from "@tillkit/core/errors";
import { type HttpReply, notificationsSurface } from "@tillkit/core/http";
import { closeOrder, closeOrderInput } from "@tillkit/core/operators";
import { memoryPorts } from "@tillkit/memory";
import { testWalletKeys } from "@tillkit/test-keys";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import type { ResultAsync } from "neverthrow";
import { onTestFinished } from "vitest";
import type { Delivery } from "../notification-dispatcher.js";
import type { FaultsChange } from "../faults.js";
import { openSandbox, type Sandbox, sandboxClock } from "../index.js";
import { postControl } from "./call-control.js";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Noon of a Thursday in China. */
const NOON = Date.UTC(2026, 0, 15, 4);

/** The wallet timeout of `impatient`, in milliseconds. */
const PATIENCE = 100;

/** A service with the real adapters and the sandbox's wallets, on a clock that only tests move. */
export interface TestFixture {
  readonly sandbox: Sandbox;
  readonly ports: Ports;
  /** The same service with short deadlines, for tests with a silent wallet. */
  readonly impatient: Ports;
  readonly appId: string;
  readonly appSecret: string;
  /** A service type of thirty days. */
  readonly serviceTypeNo: string;
  /** The events that the observer received. */
  readonly serviceEvents: readonly ServiceEvent[];
  /** Every notification that the wallets sent, oldest first. */
  readonly sent: readonly Delivery[];
  /** Sets faults, or clears them with `null`. */
  faults(change: FaultsChange): Promise<void>;
  /** Posts a notification to the service, as a wallet or an attacker would. */
  post(delivery: Delivery): Promise<HttpReply<string>>;
  /** While held, notifications do not reach the service. They are still in `sent`. */
  hold(on: boolean): void;
  /** Moves the clock and delivers the notifications that become due. */
  advance(ms: number): Promise<void>;
}

/** Opens a test environment, and closes it after the running test. */
export async function openFixture(): Promise<TestFixture> {
  const clock = sandboxClock(() => NOON);
  const sent: Delivery[] = [];
  const serviceEvents: ServiceEvent[] = [];
  let stored = false;
  const sandbox = await openSandbox({
    keys: testWalletKeys,
    clock,
    refundTime: SECOND,
    deliver: (delivery) => {
      sent.push(delivery);
      return stored ? Promise.reject(new Error("held")) : post(delivery);
    },
  });
  onTestFinished(() => sandbox.close());
  const ports: Ports = {
    ...memoryPorts(),
    clock,
    wallets: {
      WALLET_A: wechatPayWallet({
        clock,
        random: { bytes: (count) => randomBytes(count) },
        gateways: { DEV: sandbox.addresses.walletA },
        payerClientIp: () => "10.0.0.1",
      }),
      WALLET_B: sandbox.observe(alipayWallet({ clock, gateways: { DEV: sandbox.addresses.walletB } })),
    },
    observer: { onEvent: (event) => void serviceEvents.push(event) },
  };
  const surface = notificationsSurface(ports);
  const post: TestFixture["post"] = ({ url, headers, body }) => {
    const path = url.slice(ports.notificationsUrl.length);
    const message = { headers: new Headers(headers), body: bytes(body) };
    return surface.handle({ method: "POST", path, query: "", ...message });
  };
  const control = async (path: string, input: object): Promise<void> => {
    const reply = await postControl(sandbox, path, input);
    if (reply.status !== 200) throw new Error(reply.body);
  };
  const { app, appSecret } = await expectOk(createApp(ports, { name: "Demo" }));
  const { appId } = app;
  for (const payChannel of PAY_CHANNELS) {
    const { problems } = await expectOk(configurePayTool(ports, appId, sandbox.payTools[payChannel]));
    if (problems.length > 0) throw new Error(problems.join(" "));
  }
  const type = { serviceName: "Member", durationMs: 30 * DAY };
  const { serviceTypeNo } = await expectOk(createServiceType(ports, appId, type));
  return {
    sandbox,
    ports,
    impatient: { ...ports, policy: policyWith({ walletDeadline: PATIENCE, refreshDeadline: PATIENCE }) },
    appId,
    appSecret,
    serviceTypeNo,
    serviceEvents,
    sent,
    faults: (change) => control("/faults", change),
    post,
    hold: (on) => {
      stored = on;
    },
    advance: (ms) => control("/clock", { advanceMs: ms }),
  };
}

/** The parameters of an order. By default 600 cents, by a customer of this order only. */
export interface Wanted {
  readonly payChannel: PayChannel;
  readonly paySource?: PaySource;
  readonly amount?: number;
  readonly serviceTypeNo?: string;
  readonly payerId?: string;
}

/** Creates the order `bizNo` as a caller. */
export function order(
  { ports, appId }: Pick<TestFixture, "ports" | "appId">,
  bizNo: string,
  wanted: Wanted,
): ResultAsync<Checkout, CreateOrderFailure> {
  const parameters = {
    bizNo,
    customerIdentity: `of-${bizNo}`,
    amount: 600,
    goodsTitle: "Thirty days",
    ...wanted,
  };
  const input = orThrow(parseInput(createOrderInput(ports.policy), parameters));
  return createOrder(ports, appId, input);
}

/** Refunds `amount` cents, or the rest, under the number `refundNo`, as an operator. */
export function refund(
  { ports, appId }: Pick<TestFixture, "ports" | "appId">,
  bizNo: string,
  refundNo: string,
  amount?: number,
) {
  const parameters = { bizNo, refundNo, amount, reason: "the customer changed their mind", operator: "han" };
  return refundOrder(ports, appId, orThrow(parseInput(refundOrderInput(ports.policy), parameters)));
}

/** Reads the order `bizNo` as a caller. */
export function read(ports: Ports, appId: string, bizNo: string) {
  const parameters = { bizNo, customerIdentity: `of-${bizNo}` };
  return getOrder(ports, appId, orThrow(parseInput(getOrderInput(ports.policy), parameters)));
}

/** Closes the order `bizNo` as an operator. */
export function close(ports: Ports, appId: string, bizNo: string) {
  const parameters = { bizNo, reason: "asked to", operator: "han" };
  return closeOrder(ports, appId, orThrow(parseInput(closeOrderInput(ports.policy), parameters)));
}

/** Returns the stored order. */
export async function storedOrder({ ports, appId }: TestFixture, bizNo: string): Promise<Order> {
  const found = await expectOk(ports.orders.find({ appId, bizNo }));
  if (found === undefined) throw new Error(`The store has no order ${bizNo}.`);
  return found;
}

/** Runs two reconcilers at once until nothing is due. */
export async function reconcile(ports: Ports): Promise<void> {
  for (;;) {
    const rounds = [reconcileOrders(ports), reconcileOrders(ports)];
    const done = await Promise.all(rounds.map((round) => expectOk(round)));
    if (done.every(({ orders, refunds }) => orders + refunds === 0)) return;
  }
}

/** Moves the clock in steps and reconciles after each of them. */
export async function advanceInSteps(fixture: TestFixture, ...steps: readonly number[]): Promise<void> {
  for (const ms of steps) {
    await fixture.advance(ms);
    await reconcile(fixture.ports);
  }
}

/** Returns the code of a failure. */
export function codeOf({ name }: { readonly name: FailureName }): number {
  return ERROR_CATALOG[name].code;
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
