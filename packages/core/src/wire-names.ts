import type { PolicyProblem } from "./policy-rules.js";
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

/** Returns every problem of the store tokens that a host sets. */
export function tokenProblems(tokens: readonly string[]): readonly PolicyProblem[] {
  if (tokens.length === 0) return [{ path: "sourceFromTokens", rule: "must contain at least one token" }];
  return tokens.flatMap((token, index) => {
    const path = `sourceFromTokens[${index}]`;
    if (!isName(token)) return [{ path, rule: NAME_RULE }];
    if (token === OTHER_STORES)
      return [{ path, rule: `must not be "${OTHER_STORES}", which is always accepted` }];
    return tokens.indexOf(token) === index ? [] : [{ path, rule: "must not repeat an earlier token" }];
  });
}

/** Returns every problem of the names of the channels that a host sets. */
export function channelProblems({ WALLET_A, WALLET_B }: PayChannelNames): readonly PolicyProblem[] {
  const path = "payChannelNames";
  const wrong = Object.entries({ WALLET_A, WALLET_B })
    .filter(([, name]) => !isName(name))
    .map(([channel]) => ({ path: `${path}.${channel}`, rule: NAME_RULE }));
  if (wrong.length > 0) return wrong;
  if (WALLET_A === WALLET_B) return [{ path, rule: "must be two different names" }];
  // A swap of the two names would send every payment to the other wallet.
  if (WALLET_A === "WALLET_B")
    return [{ path: `${path}.WALLET_A`, rule: "must not be the name of WALLET_B" }];
  if (WALLET_B === "WALLET_A")
    return [{ path: `${path}.WALLET_B`, rule: "must not be the name of WALLET_A" }];
  return [];
}

const NAME_RULE = `must be one line of 1 to ${LONGEST_WIRE_NAME} characters without spaces at its ends`;

function isName(text: string): boolean {
  const length = [...text].length;
  const isLine = text.isWellFormed() && !hasControlCharacter(text) && text.trim() === text;
  return isLine && length >= 1 && length <= LONGEST_WIRE_NAME;
}
