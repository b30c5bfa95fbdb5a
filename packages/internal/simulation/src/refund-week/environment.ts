import { alipayWallet } from "@tillkit/alipay";
import {
  configurePayTool,
  createApp,
  PAY_CHANNELS,
  type PayChannel,
  policyWith,
  type Ports,
} from "@tillkit/core";
import { notificationsSurface } from "@tillkit/core/http";
import { memoryPorts } from "@tillkit/memory";
import { systemRandom } from "@tillkit/runtime";
import { openSandbox, type Sandbox, sandboxClock } from "@tillkit/sandbox";
import { testWalletKeys } from "@tillkit/test-keys";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { z } from "zod";
import { type CountingProxy, openCountingProxy } from "./counting-proxy.js";
import { alipayRefundCall, wechatPayRefundCall } from "./refund-calls.js";

/** Noon in China on a Thursday. */
const START = Date.UTC(2026, 0, 15, 4);

/** The timeout of the adapters for a simulated wallet, in real milliseconds. */
const WALLET_DEADLINE = 150;

const shownRefund = z.object({ state: z.string() });

/**
 * A service with the real wallet adapters and simulated wallets. Only `advance` moves its clock.
 */
export interface Environment {
  readonly sandbox: Sandbox;
  readonly ports: Ports;
  readonly appId: string;
  /** The proxies that record the refund calls to each wallet. */
  readonly proxies: Readonly<Record<PayChannel, CountingProxy>>;
  now(): number;
  /** Moves the clock, and delivers the notifications that become due before it resolves. */
  advance(ms: number): Promise<void>;
  /** Calls the control interface of the simulators. Throws if the response is not 200. */
  control(path: string, input: object): Promise<void>;
  /** Returns the state of a refund at its wallet, or `undefined` if no wallet knows it. */
  refundThere(refundNo: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Opens the simulators, their proxies and a service with an app that accepts both wallets. */
export async function openEnvironment(): Promise<Environment> {
  const clock = sandboxClock(() => START);
  const memory = memoryPorts();
  const policy = policyWith({ walletDeadline: WALLET_DEADLINE, refreshDeadline: WALLET_DEADLINE });
  // The simulators deliver notifications to the service, which is created after them.
  const service: { ports?: Ports } = {};
  const sandbox = await openSandbox({
    keys: testWalletKeys,
    clock,
    deliver: ({ url, headers, body }) => {
      if (service.ports === undefined) throw new Error("The service is not open yet.");
      const path = url.slice(service.ports.notificationsUrl.length);
      const message = { headers: new Headers(headers), body: new TextEncoder().encode(body) };
      return notificationsSurface(service.ports).handle({ method: "POST", path, query: "", ...message });
    },
  });
  const now = () => clock.now();
  const { walletA, walletB } = sandbox.addresses;
  const proxies = {
    WALLET_A: await openCountingProxy(walletA, wechatPayRefundCall, now),
    WALLET_B: await openCountingProxy(new URL(walletB).origin, alipayRefundCall, now),
  };
  const ports: Ports = {
    ...memory,
    clock,
    policy,
    wallets: {
      WALLET_A: wechatPayWallet({
        clock,
        random: systemRandom,
        gateways: { DEV: proxies.WALLET_A.origin },
      }),
      WALLET_B: sandbox.observe(
        alipayWallet({ clock, gateways: { DEV: proxies.WALLET_B.origin + new URL(walletB).pathname } }),
      ),
    },
  };
  service.ports = ports;
  const control: Environment["control"] = async (path, input) => {
    const body = new TextEncoder().encode(JSON.stringify(input));
    const request = { method: "POST", path, query: "", headers: new Headers(), body };
    const reply = await sandbox.control.handle(request);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.body}`);
  };
  const created = await createApp(ports, { name: "Refund week" });
  if (created.isErr()) throw new Error(created.error.name);
  const { appId } = created.value.app;
  for (const payChannel of PAY_CHANNELS) {
    const configured = await configurePayTool(ports, appId, sandbox.payTools[payChannel]);
    if (configured.isErr()) throw new Error(configured.error.name);
    if (configured.value.problems.length > 0) throw new Error(configured.value.problems.join(" "));
  }
  return {
    sandbox,
    ports,
    appId,
    proxies,
    now,
    advance: (ms) => control("/clock", { advanceMs: ms }),
    control,
    refundThere: async (refundNo) => {
      const path = `/refunds/${encodeURIComponent(refundNo)}`;
      const request = { method: "GET", path, query: "", headers: new Headers(), body: new Uint8Array() };
      const reply = await sandbox.control.handle(request);
      return reply.status === 200 ? shownRefund.parse(JSON.parse(reply.body)).state : undefined;
    },
    close: async () => {
      await sandbox.close();
      await Promise.all([proxies.WALLET_A.close(), proxies.WALLET_B.close()]);
    },
  };
}
