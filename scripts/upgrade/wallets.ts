import { alipayWallet } from "@tillkit/alipay";
import type { Clock, Ports } from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import type { ProgramSetup } from "./set-up.js";

/** Creates the adapters of both wallets, which call the sandbox. */
export function walletsAt({ sandbox }: Pick<ProgramSetup, "sandbox">, clock: Clock): Ports["wallets"] {
  const { walletA, walletB } = sandbox.addresses;
  return {
    WALLET_A: wechatPayWallet({ clock, random: systemRandom, gateways: { DEV: walletA } }),
    WALLET_B: alipayWallet({ clock, gateways: { DEV: walletB } }),
  };
}
