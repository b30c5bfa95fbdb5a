import { inject, onTestFinished } from "vitest";
import type { Delivery } from "../courier.js";
import { openSandbox, type Sandbox, sandboxClock, type SandboxOptions } from "../index.js";
import { members } from "./json.js";
import { type AAnswer, walletASender } from "./wallet-a-client.js";
import { walletBSender } from "./wallet-b-client.js";

/** A sandbox on a clock that stands still, with a merchant who speaks raw HTTP to both wallets. */
export interface Stand {
  readonly sandbox: Sandbox;
  /** Every notification that was sent, oldest first; all of them are acknowledged. */
  readonly delivered: readonly Delivery[];
  readonly sendA: ReturnType<typeof walletASender>;
  readonly sendB: ReturnType<typeof walletBSender>;
  /** Posts a JSON body to WeChat Pay, or gets if there is no body. */
  readonly callA: (target: string, body?: object) => Promise<AAnswer>;
  /** Calls the control interface. */
  readonly control: (
    method: "GET" | "POST",
    path: string,
    body?: object,
  ) => Promise<{ readonly status: number; readonly json: Readonly<Record<string, unknown>> }>;
  /** Moves the clock; what the wallets report by then is reported. */
  readonly advance: (ms: number) => Promise<void>;
}

/** The instant at which the clock stands: noon in China. */
export const NOON = Date.UTC(2026, 10, 20, 4);

/** Opens a stand for the running test, which closes it. */
export async function openStand(options: SandboxOptions = {}): Promise<Stand> {
  const delivered: Delivery[] = [];
  const sandbox = await openSandbox({
    keys: inject("sandboxKeys"),
    clock: sandboxClock(() => NOON),
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
  const control: Stand["control"] = async (method, path, body) => {
    const bytes = new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body));
    const request = { method, path, query: "", headers: new Headers(), body: bytes };
    const reply = await sandbox.control.handle(request);
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

/** The number of the order that tests make by default. */
export const NUMBER = "01JCXW9Z3K7Q2N5T8V0B4D6F1H";

/** A request to WeChat Pay for an order of 600 cents. */
export function orderA({ sandbox }: Pick<Stand, "sandbox">, changes: object = {}): object {
  const { appid, mchid } = sandbox.merchant.walletA;
  const terms = { appid, mchid, description: "VIP 会员", out_trade_no: NUMBER, amount: { total: 600 } };
  return { ...terms, notify_url: "http://127.0.0.1:8787/wallets/WALLET_A", ...changes };
}

/** What Alipay is asked for with an order of 600 cents. */
export function orderB(changes: object = {}): object {
  return { out_trade_no: NUMBER, subject: "VIP 会员", total_amount: "6.00", ...changes };
}

/** The common parameter that has Alipay report an order. */
export const NOTIFIED = { notify_url: "http://127.0.0.1:8787/wallets/WALLET_B" } as const;

/** The parameters of a notification of Alipay. */
export function formOf({ body }: Delivery): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(body));
}
