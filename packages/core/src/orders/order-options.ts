import type { OptionProblem } from "../pay-tools/wallet-options-input.js";
import { foreignOption } from "../pay-tools/wallet-options-input.js";
import { optionNames } from "../pay-tools/option-channels.js";
import type { WalletOptionName, WalletOptions } from "../pay-tools/wallet-options.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";
import type { PaySource } from "../wallets/pay-source.js";

/** The options of an order. */
export interface OrderWalletOptions {
  /** The options that the caller sent. A repeated creation must send the same ones. */
  readonly given: WalletOptions;
  /**
   * The options that the wallet gets: `given`, plus the defaults of the pay tool at creation.
   *
   * They never change, because a wallet refuses a repeated request with other options.
   */
  readonly sent: WalletOptions;
}

/** The options that a wallet takes for some values of `paySource` only. */
const SOURCES: { readonly [Name in WalletOptionName]?: readonly PaySource[] } = {
  redirect_url: ["H5"],
  goods_type: ["APP", "H5", "PC"],
  quit_url: ["H5"],
};

/** Returns the first option that the order's wallet does not take for this payment. */
export function optionProblem({
  payChannel,
  paySource,
  walletOptions = {},
}: {
  readonly payChannel: PayChannel;
  readonly paySource: PaySource;
  readonly walletOptions?: WalletOptions | undefined;
}): OptionProblem | undefined {
  const foreign = foreignOption(walletOptions, payChannel);
  if (foreign !== undefined) return foreign;
  const option = optionNames(walletOptions).find((name) => !isTaken(name, paySource));
  if (option === undefined) return undefined;
  if (option === "goods_type") return { option, rule: "wallet-b-goods-type" };
  return { option, rule: payChannel === "WALLET_A" ? "wallet-a-h5-only" : "wallet-b-h5-only" };
}

function isTaken(name: WalletOptionName, paySource: PaySource): boolean {
  return SOURCES[name]?.includes(paySource) ?? true;
}

/** Returns the options of a new order. `undefined` if the order and its pay tool have none. */
export function orderOptions(
  defaults: WalletOptions | undefined,
  given: WalletOptions | undefined,
  paySource: PaySource,
): OrderWalletOptions | undefined {
  if (defaults === undefined && given === undefined) return undefined;
  const sent = merged(applicable(defaults ?? {}, given ?? {}, paySource), given ?? {});
  return optionNames(sent).length === 0 ? undefined : { given: given ?? {}, sent };
}

/** Returns the defaults that apply to an order. */
function applicable(
  defaults: WalletOptions,
  { enable_pay_channels, disable_pay_channels }: WalletOptions,
  paySource: PaySource,
): WalletOptions {
  // If the order names payment channels, the channels of the pay tool do not apply.
  const { enable_pay_channels: _only, disable_pay_channels: _not, ...others } = defaults;
  const namesChannels = enable_pay_channels !== undefined || disable_pay_channels !== undefined;
  return picked(namesChannels ? others : defaults, (name) => isTaken(name, paySource));
}

/** Merges both objects, in the member order of requests. `given` has priority. */
function merged(defaults: WalletOptions, given: WalletOptions): WalletOptions {
  return picked({ ...defaults, ...given }, () => true);
}

/** Returns the options for which `isWanted` returns true, in the member order of requests. */
function picked(options: WalletOptions, isWanted: (name: WalletOptionName) => boolean): WalletOptions;
function picked(options: WalletOptions, isWanted: (name: WalletOptionName) => boolean): object {
  const names = optionNames(options).filter(isWanted);
  return Object.fromEntries(names.map((name) => [name, options[name]]));
}

/** Returns the names of the options that differ. The order of members does not count. */
export function differingOptions(
  left: WalletOptions = {},
  right: WalletOptions = {},
): readonly WalletOptionName[] {
  const all = new Set([...optionNames(left), ...optionNames(right)]);
  return [...all].filter((name) => sortedText(left[name]) !== sortedText(right[name]));
}

function sortedText(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
