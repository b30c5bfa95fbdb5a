import { alipayWallet } from "@tillkit/alipay";
import type { Ports } from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { ok, type Result } from "neverthrow";
import type { CliFailure } from "./failure.js";

/** Creates the wallets that commands call, or fails with the reason why there are none. */
export type OpenWallets = (ports: Pick<Ports, "clock">) => Result<Ports["wallets"], CliFailure>;

/**
 * Creates the wallets that this program includes: WeChat Pay and Alipay.
 *
 * @returns one adapter per channel. Never fails.
 * @example
 * ```ts
 * import { systemClock } from "@tillkit/runtime";
 * import { installedWallets } from "tillkit";
 *
 * const wallets = installedWallets({ clock: systemClock });
 * ```
 */
export const installedWallets: OpenWallets = ({ clock }) =>
  ok({
    WALLET_A: wechatPayWallet({ clock, random: systemRandom }),
    WALLET_B: alipayWallet({ clock }),
  });
