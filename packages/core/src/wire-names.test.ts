import { describe, expect, it } from "vitest";
import { policyWith } from "./policy.js";

const names = (WALLET_A: string, WALLET_B: string) => ({ payChannelNames: { WALLET_A, WALLET_B } });
const line = "must be one line of 1 to 64 characters without spaces at its ends.";

describe("policyWith", () => {
  it.each([
    [{ sourceFromTokens: ["a".repeat(64), "商店"] }],
    [names("messenger", "payer")],
    [names("WALLET_A", "payer")],
    [names("x".repeat(64), "X".repeat(64))],
  ])("takes the names %j", (changes) => {
    expect(policyWith(changes)).toMatchObject(changes);
  });

  it.each([
    [{ sourceFromTokens: [] }, "sourceFromTokens must contain at least one token."],
    [{ sourceFromTokens: ["a", ""] }, `sourceFromTokens[1] ${line}`],
    [{ sourceFromTokens: ["a\nb"] }, `sourceFromTokens[0] ${line}`],
    [{ sourceFromTokens: [" a"] }, `sourceFromTokens[0] ${line}`],
    [{ sourceFromTokens: ["\ud800"] }, `sourceFromTokens[0] ${line}`],
    [{ sourceFromTokens: ["a".repeat(65)] }, `sourceFromTokens[0] ${line}`],
    [{ sourceFromTokens: ["a", "b", "a"] }, "sourceFromTokens[2] must not repeat an earlier token."],
    [{ sourceFromTokens: ["others"] }, 'sourceFromTokens[0] must not be "others", which is always accepted.'],
    [names("", "payer"), `payChannelNames.WALLET_A ${line}`],
    [names("messenger", "pay\ter"), `payChannelNames.WALLET_B ${line}`],
    [names("wallet", "wallet"), "payChannelNames must be two different names."],
    [names("WALLET_B", "payer"), "payChannelNames.WALLET_A must not be the name of WALLET_B."],
    [names("messenger", "WALLET_A"), "payChannelNames.WALLET_B must not be the name of WALLET_A."],
    [names("WALLET_B", "WALLET_A"), "payChannelNames.WALLET_A must not be the name of WALLET_B."],
  ])("refuses the names %j", (changes, rule) => {
    expect(() => policyWith(changes)).toThrow(new RangeError(`The policy's ${rule}`));
  });
});
