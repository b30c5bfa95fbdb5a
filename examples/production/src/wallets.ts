import { AsyncLocalStorage } from "node:async_hooks";
import { alipayWallet } from "@tillkit/alipay";
import type { Clock, Ports } from "@tillkit/core";
import type { Surface } from "@tillkit/core/http";
import { systemClock, systemRandom } from "@tillkit/runtime";
import { openSandbox } from "@tillkit/sandbox";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import type { Config } from "./config.js";

/** The wallets of a host, and what comes with them. */
export interface HostWallets {
  readonly wallets: Ports["wallets"];
  /** The sandbox's can be moved. */
  readonly clock: Clock;
  /** Plays customers and troubles; only the sandbox has it. */
  readonly control?: Surface;
  close(): Promise<void>;
}

/** The address of whoever sent the request under way, which WALLET_A wants to know of a payment in a browser. */
export const payerAddress = new AsyncLocalStorage<string | undefined>();

/** Opens the wallets the configuration names. The one place to change for other adapters. */
export async function openWallets({
  wallets: kind,
  sandboxStateFile,
}: Pick<Config, "wallets" | "sandboxStateFile">): Promise<HostWallets> {
  if (kind === "live") return liveWallets();
  const sandbox = await openSandbox(sandboxStateFile === undefined ? {} : { stateFile: sandboxStateFile });
  const { wallets, clock, control } = sandbox;
  return { wallets, clock, control, close: () => sandbox.close() };
}

function liveWallets(): HostWallets {
  const clock = systemClock;
  return {
    wallets: {
      WALLET_A: wechatPayWallet({
        clock,
        random: systemRandom,
        payerClientIp: () => payerAddress.getStore(),
      }),
      WALLET_B: alipayWallet({ clock }),
    },
    clock,
    close: async () => undefined,
  };
}
