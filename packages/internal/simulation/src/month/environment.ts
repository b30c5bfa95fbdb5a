import { alipayWallet } from "@tillkit/alipay";
import {
  configurePayTool,
  createApp,
  createServiceType,
  orThrow,
  PAY_CHANNELS,
  type PayChannel,
  policyWith,
  type Ports,
} from "@tillkit/core";
import { notificationsSurface } from "@tillkit/core/http";
import { memoryPorts, memoryState, type MemoryState, memoryStores } from "@tillkit/memory";
import { systemRandom } from "@tillkit/runtime";
import { openSandbox, type Sandbox, sandboxClock } from "@tillkit/sandbox";
import { testWalletKeys } from "@tillkit/test-keys";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { DAY, HOUR, MINUTE } from "./month-plan.js";
import { alipayRefundCall, type RefundCall, wechatPayRefundCall } from "./refund-calls.js";

/** Noon in China on a Thursday. */
const START = Date.UTC(2026, 0, 15, 4);

/**
 * A service with the real wallet adapters and simulated wallets. Only `advance` moves its clock.
 */
export interface Environment {
  readonly sandbox: Sandbox;
  /** The current ports of the service. {@link Environment.restore} replaces them. */
  readonly ports: Ports;
  readonly appId: string;
  readonly serviceTypeNo: string;
  /** Every refund call that reached each wallet, oldest first. */
  readonly calls: Readonly<Record<PayChannel, readonly RefundCall[]>>;
  now(): number;
  /** Moves the clock, and delivers the notifications that become due before it resolves. */
  advance(ms: number): Promise<void>;
  /** Calls the control interface of the simulators. Throws if the response is not 200. */
  control(path: string, input: object): Promise<void>;
  /** Copies the data of the service. */
  backUp(): void;
  /** Replaces the data of the service by the last copy. The wallets keep theirs. */
  restore(): void;
  close(): Promise<void>;
}

/** Opens the simulators, their proxies and a service with an app that accepts both wallets. */
export async function openEnvironment(): Promise<Environment> {
  const clock = sandboxClock(() => START);
  const calls: Record<PayChannel, RefundCall[]> = { WALLET_A: [], WALLET_B: [] };
  const data = { live: memoryState(), backup: memoryState() };
  // The simulators deliver notifications to the service, which is created after them.
  const service: { ports?: Ports } = {};
  const sandbox = await openSandbox({
    keys: testWalletKeys,
    clock,
    onRequest: (payChannel, { method, target, body }) => {
      const read = payChannel === "WALLET_A" ? wechatPayRefundCall : alipayRefundCall;
      const seen = read({ method, target, body: Buffer.from(body).toString("utf8") });
      if (seen === undefined) return;
      calls[payChannel].push({ ...seen, at: clock.now(), isHeld: isHeldBy(sandbox, seen.refundNo) });
    },
    deliver: ({ url, headers, body }) => {
      if (service.ports === undefined) throw new Error("The service is not open yet.");
      const path = url.slice(service.ports.notificationsUrl.length);
      const message = { headers: new Headers(headers), body: new TextEncoder().encode(body) };
      return notificationsSurface(service.ports).handle({ method: "POST", path, query: "", ...message });
    },
  });
  const { walletA, walletB } = sandbox.addresses;
  const wallets = {
    WALLET_A: wechatPayWallet({ clock, random: systemRandom, gateways: { DEV: walletA } }),
    WALLET_B: sandbox.observe(alipayWallet({ clock, gateways: { DEV: walletB } })),
  };
  // Fewer queries than by default, so that a month takes seconds.
  const refundSchedule = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY];
  const policy = policyWith({ refundSchedule });
  const opened = (state: MemoryState): Ports => ({
    ...memoryPorts(),
    ...memoryStores(state),
    policy,
    clock,
    wallets,
  });
  const first = opened(data.live);
  service.ports = first;
  const control: Environment["control"] = async (path, input) => {
    const body = new TextEncoder().encode(JSON.stringify(input));
    const request = { method: "POST", path, query: "", headers: new Headers(), body };
    const reply = await sandbox.control.handle(request);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.body}`);
  };
  const { app } = await orThrow(createApp(first, { name: "Month" }));
  const { appId } = app;
  for (const payChannel of PAY_CHANNELS) {
    const { problems } = await orThrow(configurePayTool(first, appId, sandbox.payTools[payChannel]));
    if (problems.length > 0) throw new Error(problems.join(" "));
  }
  const type = { serviceName: "Thirty days", durationMs: 30 * DAY };
  const { serviceTypeNo } = await orThrow(createServiceType(first, appId, type));
  return {
    sandbox,
    get ports() {
      return service.ports ?? first;
    },
    appId,
    serviceTypeNo,
    calls,
    now: () => clock.now(),
    advance: (ms) => control("/clock", { advanceMs: ms }),
    control,
    backUp: () => {
      data.backup = copyOf(data.live);
    },
    restore: () => {
      data.live = copyOf(data.backup);
      service.ports = opened(data.live);
    },
    close: () => sandbox.close(),
  };
}

/**
 * Returns whether Tillkit must not send a refund again.
 *
 * Alipay needs the same request again until it has made the refund.
 */
function isHeldBy({ refundControls }: Sandbox, refundNo: string): boolean {
  const refund = refundControls.refund(refundNo).unwrapOr(undefined);
  if (refund === undefined) return false;
  return refund.payChannel === "WALLET_B" ? refund.state === "SUCCESS" : refund.state !== "CLOSED";
}

function copyOf({ digest, ...data }: MemoryState): MemoryState {
  return { digest, ...structuredClone(data) };
}
