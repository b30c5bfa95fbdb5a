import type { PayChannel } from "./pay-tool.js";
import type { WalletOptionName, WalletOptions } from "./wallet-options.js";

/** The channel of each option, in the order in which requests contain the options. */
export const OPTION_CHANNELS: Readonly<Record<WalletOptionName, PayChannel>> = {
  attach: "WALLET_A",
  goods_tag: "WALLET_A",
  support_fapiao: "WALLET_A",
  limit_pay: "WALLET_A",
  settle_info: "WALLET_A",
  detail: "WALLET_A",
  scene_info: "WALLET_A",
  redirect_url: "WALLET_A",
  passback_params: "WALLET_B",
  goods_type: "WALLET_B",
  enable_pay_channels: "WALLET_B",
  disable_pay_channels: "WALLET_B",
  extend_params: "WALLET_B",
  quit_url: "WALLET_B",
};

/** Returns the names of options that have a value, in the order of requests. */
export function optionNames(options: WalletOptions): readonly WalletOptionName[] {
  return names().filter((name) => options[name] !== undefined);
}

function names(): readonly WalletOptionName[] {
  return Object.keys(OPTION_CHANNELS).filter(isOptionName);
}

function isOptionName(name: string): name is WalletOptionName {
  return Object.hasOwn(OPTION_CHANNELS, name);
}
