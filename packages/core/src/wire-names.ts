import { OTHER_STORES } from "./source-from.js";
import { LONGEST_WIRE_NAME } from "./shared/limits.js";
import { hasControlCharacter } from "./shared/text.js";

/**
 * The two values of `payChannel` that callers send and receive.
 *
 * Only HTTP requests and responses use these names. Code, storage, notification addresses and the
 * command line always use WALLET_A and WALLET_B.
 */
export interface PayChannelNames {
  /** The name of WeChat Pay. */
  readonly WALLET_A: string;
  /** The name of Alipay. */
  readonly WALLET_B: string;
}

/** The part of the policy that names stores and channels on the wire. */
export interface WireNames {
  readonly sourceFromTokens: readonly string[];
  readonly payChannelNames: PayChannelNames;
}

/**
 * Checks the names that a host sets.
 *
 * @throws RangeError that names the setting and its rule.
 */
export function checkWireNames({ sourceFromTokens, payChannelNames }: WireNames): void {
  if (sourceFromTokens.length === 0) refuse("sourceFromTokens", "must contain at least one token");
  for (const [index, token] of sourceFromTokens.entries()) {
    const name = `sourceFromTokens[${index}]`;
    checkName(name, token);
    if (token === OTHER_STORES) refuse(name, `must not be "${OTHER_STORES}", which is always accepted`);
    if (sourceFromTokens.indexOf(token) !== index) refuse(name, "must not repeat an earlier token");
  }
  const { WALLET_A, WALLET_B } = payChannelNames;
  checkName("payChannelNames.WALLET_A", WALLET_A);
  checkName("payChannelNames.WALLET_B", WALLET_B);
  if (WALLET_A === WALLET_B) refuse("payChannelNames", "must be two different names");
  // A swap of the two names would send every payment to the other wallet.
  if (WALLET_A === "WALLET_B") refuse("payChannelNames.WALLET_A", "must not be the name of WALLET_B");
  if (WALLET_B === "WALLET_A") refuse("payChannelNames.WALLET_B", "must not be the name of WALLET_A");
}

function checkName(name: string, text: string): void {
  const length = [...text].length;
  const isLine = text.isWellFormed() && !hasControlCharacter(text) && text.trim() === text;
  if (isLine && length >= 1 && length <= LONGEST_WIRE_NAME) return;
  refuse(name, `must be one line of 1 to ${LONGEST_WIRE_NAME} characters without spaces at its ends`);
}

function refuse(name: string, rule: string): never {
  throw new RangeError(`The policy's ${name} ${rule}.`);
}
