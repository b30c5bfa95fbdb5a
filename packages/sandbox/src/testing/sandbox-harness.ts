import { testWalletKeys } from "@tillkit/test-keys";
import { onTestFinished } from "vitest";
import type { Delivery } from "../notification-dispatcher.js";
import { openSandbox, type Sandbox, sandboxClock, type SandboxOptions } from "../index.js";
import { members } from "./json.js";
import { type AAnswer, walletASender } from "./wechat-pay-client.js";
import { callControl } from "./call-control.js";
import { walletBSender } from "./alipay-client.js";

/** A sandbox on a still clock, with a merchant that sends raw HTTP requests to both wallets. */
export interface SandboxHarness {
  readonly sandbox: Sandbox;
  /** Every notification that was sent, oldest first. All of them are acknowledged by default. */
  readonly delivered: readonly Delivery[];
  readonly sendA: ReturnType<typeof walletASender>;
  readonly sendB: ReturnType<typeof walletBSender>;
  /** Sends a JSON body to WeChat Pay by POST, or a GET if there is no body. */
  readonly callA: (target: string, body?: object) => Promise<AAnswer>;
  /** Calls the control interface. */
  readonly control: (
    method: "GET" | "POST",
    path: string,
    body?: object,
  ) => Promise<{ readonly status: number; readonly json: Readonly<Record<string, unknown>> }>;
  /** Moves the clock and delivers the notifications that become due. */
  readonly advance: (ms: number) => Promise<void>;
}

/** The time of the clock: noon in China. */
export const NOON = Date.UTC(2026, 10, 20, 4);

/** Opens a fixture, and closes it after the running test. */
export async function openHarness(options: SandboxOptions = {}): Promise<SandboxHarness> {
  const delivered: Delivery[] = [];
  const sandbox = await openSandbox({
    keys: testWalletKeys,
    clock: sandboxClock(() => NOON),
    refundTime: 1_000,
    deliver: (delivery) => {
      delivered.push(delivery);
      return Promise.resolve({ status: 200, body: "success" });
    },
    ...options,
  });
  onTestFinished(() => sandbox.close());
  const { addresses, merchant, clock } = sandbox;
  const now = () => clock.now();
  const sendA = walletASender(addresses.walletA, merchant.walletA, now);
  const control: SandboxHarness["control"] = async (method, path, body) => {
    const reply = await callControl(sandbox, method, path, body);
    return { status: reply.status, json: members(reply.body) };
  };
  return {
    sandbox,
    delivered,
    sendA,
    sendB: walletBSender(addresses.walletB, merchant.walletB, now),
    callA: (target, body) =>
      sendA(
        body === undefined
          ? { method: "GET", target }
          : { method: "POST", target, body: JSON.stringify(body) },
      ),
    control,
    advance: async (ms) => {
      await control("POST", "/clock", { advanceMs: ms });
    },
  };
}

/** The default `out_trade_no` of the tests. */
export const NUMBER = "01JCXW9Z3K7Q2N5T8V0B4D6F1H";

/** Creates the body of a WeChat Pay request for an order of 600 cents. */
export function orderA({ sandbox }: Pick<SandboxHarness, "sandbox">, changes: object = {}): object {
  const { appid, mchid } = sandbox.merchant.walletA;
  const terms = { appid, mchid, description: "VIP 会员", out_trade_no: NUMBER, amount: { total: 600 } };
  return { ...terms, notify_url: "http://127.0.0.1:8787/wallets/WALLET_A", ...changes };
}

/** Creates the `biz_content` of an Alipay request for an order of 600 cents. */
export function orderB(changes: object = {}): object {
  return { out_trade_no: NUMBER, subject: "VIP 会员", total_amount: "6.00", ...changes };
}

/** The common parameter that makes Alipay send notifications of an order. */
export const NOTIFIED = { notify_url: "http://127.0.0.1:8787/wallets/WALLET_B" } as const;

/** Returns the parameters of an Alipay notification. */
export function formOf({ body }: Delivery): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(body));
}
