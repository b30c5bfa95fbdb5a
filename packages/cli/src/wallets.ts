import { alipayWallet } from "@tillkit/alipay";
import type { Ports } from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { ok, type Result } from "neverthrow";
import type { CliFailure } from "./failure.js";

/** Makes the wallets that commands talk to, or says why there are none. */
export type OpenWallets = (ports: Pick<Ports, "clock">) => Result<Ports["wallets"], CliFailure>;

/** The wallets this program brings along: WeChat Pay and Alipay. */
export const installedWallets: OpenWallets = ({ clock }) =>
  ok({
    WALLET_A: wechatPayWallet({ clock, random: systemRandom }),
    WALLET_B: alipayWallet({ clock }),
  });
