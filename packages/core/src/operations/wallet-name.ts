import type { Language } from "../errors/message.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";

const NAMES: Readonly<Record<Language, Readonly<Record<PayChannel, string>>>> = {
  en: { WALLET_A: "WeChat Pay", WALLET_B: "Alipay" },
  zh: { WALLET_A: "微信支付", WALLET_B: "支付宝" },
};
const UNNAMED: Readonly<Record<Language, string>> = { en: "the wallet", zh: "支付渠道" };

/**
 * Returns the name by which people know a payment channel.
 *
 * @param payChannel - absent if the channel is not known.
 * @returns a name such as `WeChat Pay` or `微信支付`.
 * @example
 * ```ts
 * import { walletName } from "@tillkit/core/operators";
 *
 * console.log(walletName("WALLET_A", "en"));
 * ```
 */
export function walletName(payChannel: PayChannel | undefined, language: Language): string {
  return payChannel === undefined ? UNNAMED[language] : NAMES[language][payChannel];
}
