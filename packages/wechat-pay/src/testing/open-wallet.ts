import type { Wallet } from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { onTestFinished } from "vitest";
import { wechatPayWallet, type WechatPayOptions } from "../wechat-pay-wallet.js";
import { NOW } from "./keys.js";
import { openWire, type WechatWire, type WirePart } from "./wechat-wire.js";

/** A wallet and what it talks to, until the test ends. Both clocks stand at `NOW`. */
export async function openWallet(
  part: WirePart,
  options: Partial<WechatPayOptions> = {},
): Promise<{ readonly wallet: Wallet; readonly wire: WechatWire }> {
  const wire = await openWire(part, () => NOW);
  onTestFinished(() => wire.close());
  const clock = { now: () => NOW };
  const wallet = wechatPayWallet({ clock, random: systemRandom, gateways: { DEV: wire.url }, ...options });
  return { wallet, wire };
}
