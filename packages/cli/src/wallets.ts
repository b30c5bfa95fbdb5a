import { alipayWallet } from "@tillkit/alipay";
import type { PayChannel, Ports } from "@tillkit/core";
import { noopObserver, systemRandom } from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { Result } from "neverthrow";
import { type CliFailure, reasonOf, usage } from "./failure.js";

/** The gateways of DEV pay tools. PROD pay tools always use the gateways of the wallets. */
export type DevGateways = Partial<Readonly<Record<PayChannel, string>>>;

/** Creates the wallets that commands call. Fails if a gateway is not usable. */
export type OpenWallets = (
  ports: Pick<Ports, "clock"> & Partial<Pick<Ports, "observer">>,
  gateways?: DevGateways,
) => Result<Ports["wallets"], CliFailure>;

/**
 * Creates the wallets that this program includes: WeChat Pay and Alipay.
 *
 * @param gateways - https addresses, or http on a loopback address.
 * @returns one adapter per channel. Fails with `usage.invalid` if a gateway is not usable.
 * @example
 * ```ts
 * import { systemClock } from "@tillkit/runtime";
 * import { installedWallets } from "tillkit";
 *
 * const wallets = installedWallets({ clock: systemClock });
 * ```
 */
export const installedWallets: OpenWallets = ({ clock, observer = noopObserver }, gateways = {}) =>
  Result.fromThrowable(
    () => ({
      WALLET_A: wechatPayWallet({
        clock,
        observer,
        random: systemRandom,
        gateways: devGateway(gateways.WALLET_A),
      }),
      WALLET_B: alipayWallet({ clock, observer, gateways: devGateway(gateways.WALLET_B) }),
    }),
    (error) =>
      usage(
        `A wallet gateway is not usable: ${reasonOf(error)} Correct --wallet-a-gateway or --wallet-b-gateway, or their variables.`,
      ),
  )();

/** Returns how the user gives a command the gateway of a DEV pay tool. */
export function gatewayRemedy(payChannel: PayChannel): string {
  const wallet = payChannel === "WALLET_A" ? "A" : "B";
  return `Set TILLKIT_WALLET_${wallet}_GATEWAY or --wallet-${wallet.toLowerCase()}-gateway to the address of the sandbox's wallet`;
}

function devGateway(address: string | undefined): { readonly DEV?: string } {
  return address === undefined ? {} : { DEV: address };
}
