import { AsyncLocalStorage } from "node:async_hooks";
import { alipayWallet } from "@tillkit/alipay";
import type { Clock, Observer, Ports } from "@tillkit/core";
import type { Surface } from "@tillkit/core/http";
import { systemClock, systemRandom } from "@tillkit/runtime";
import { traceHeaders } from "@tillkit/opentelemetry";
import { openSandbox, type Sandbox } from "@tillkit/sandbox";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import type { Config } from "../config.js";

/** The wallets of a host and their clock. */
export interface HostWallets {
  readonly wallets: Ports["wallets"];
  /** The system clock, or the clock of the sandbox, which can be moved. */
  readonly clock: Clock;
  /** Simulates the wallets, if they are not the real ones. */
  readonly sandbox?: Sandbox;
  close(): Promise<void>;
}

/**
 * The request header in which callers send the IP address of their customer.
 *
 * WeChat Pay needs the address for `H5` payments. The address of the connection belongs to the
 * caller's backend, not to the customer.
 */
const PAYER_ADDRESS_HEADER = "x-payer-client-ip";

/** The customer's address that the caller sent with the current request. */
export const payerAddress = new AsyncLocalStorage<string | undefined>();

/** Returns a surface like `surface` whose wallets know the customer's address of each request. */
export function withPayerAddress(surface: Surface): Surface {
  return {
    maxRequestBytes: surface.maxRequestBytes,
    owns: (method, path) => surface.owns(method, path),
    handle: (request) =>
      payerAddress.run(request.headers.get(PAYER_ADDRESS_HEADER) ?? undefined, () => surface.handle(request)),
  };
}

/** Opens the configured wallets. */
export async function openWallets(
  { wallets: kind, gateways, sandboxStateFile }: Pick<Config, "wallets" | "gateways" | "sandboxStateFile">,
  observer?: Observer,
): Promise<HostWallets> {
  if (kind === "live") {
    const wallets = walletsAt(systemClock, gateways, observer);
    return { wallets, clock: systemClock, close: async () => undefined };
  }
  const sandbox = await openSandbox(sandboxStateFile === undefined ? {} : { stateFile: sandboxStateFile });
  const { clock } = sandbox;
  return { wallets: sandboxWallets(sandbox, observer), clock, sandbox, close: () => sandbox.close() };
}

/** Creates the adapters of both wallets. They call the sandbox for DEV pay tools. */
export function sandboxWallets(sandbox: Sandbox, observer?: Observer): Ports["wallets"] {
  const { walletA, walletB } = sandbox.addresses;
  const gateways = { WALLET_A: { DEV: walletA }, WALLET_B: { DEV: walletB } };
  const wallets = walletsAt(sandbox.clock, gateways, observer);
  return { ...wallets, WALLET_B: sandbox.observe(wallets.WALLET_B) };
}

/**
 * Creates the adapters of both wallets.
 *
 * @param gateways - what DEV pay tools call instead of the wallets' own gateways.
 */
function walletsAt(
  clock: Clock,
  gateways: Config["gateways"],
  observer: Observer | undefined,
): Ports["wallets"] {
  const observed = observer === undefined ? {} : { observer };
  return {
    WALLET_A: wechatPayWallet({
      ...observed,
      clock,
      random: systemRandom,
      gateways: gateways.WALLET_A,
      requestHeaders: traceHeaders,
      payerClientIp: () => payerAddress.getStore(),
      payerClientIpName: PAYER_ADDRESS_HEADER,
    }),
    WALLET_B: alipayWallet({
      ...observed,
      clock,
      gateways: gateways.WALLET_B,
      requestHeaders: traceHeaders,
    }),
  };
}
