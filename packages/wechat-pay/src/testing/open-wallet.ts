import type { Wallet } from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { onTestFinished } from "vitest";
import { wechatPayWallet, type WechatPayWalletOptions } from "../wechat-pay-wallet.js";
import { NOW } from "./keys.js";
import { openWire, type WechatWire, type WireHandler } from "./wechat-wire.js";

/** Creates a wallet and its server for the running test. The clocks of both return `NOW`. */
export async function openWallet(
  part: WireHandler,
  options: Partial<WechatPayWalletOptions> = {},
): Promise<{ readonly wallet: Wallet; readonly wire: WechatWire }> {
  const wire = await openWire(part, () => NOW);
  onTestFinished(() => wire.close());
  const clock = { now: () => NOW };
  const wallet = wechatPayWallet({ clock, random: systemRandom, gateways: { DEV: wire.url }, ...options });
  return { wallet, wire };
}
