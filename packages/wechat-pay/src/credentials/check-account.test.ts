import { describe, expect, it } from "vitest";
import * as keys from "../testing/keys.js";
import { textContaining } from "../testing/text-containing.js";
import { checkWechatPayAccount } from "./check-account.js";

const { account, credentials, NOW } = keys;

/** Returns the English texts of the problems. */
async function textsOf(problems: ReturnType<typeof checkWechatPayAccount>): Promise<readonly string[]> {
  return (await problems).map(({ message }) => message.en);
}

describe("checkWechatPayAccount", () => {
  it("returns no problem for a working account", async () => {
    expect(await checkWechatPayAccount(account, NOW)).toEqual([]);
  });

  it("reports an invalid merchant number and app id together with the problems of the credentials", async () => {
    const problems = await checkWechatPayAccount(
      {
        accountId: "2088-1",
        walletAppId: "2014072300007148",
        credentials: { ...credentials, apiV3Key: "short" },
      },
      NOW,
    );
    expect(problems.map(({ code, field }) => [code, field])).toEqual([
      ["malformed", "accountId"],
      ["malformed", "walletAppId"],
      ["malformed", "apiV3Key"],
    ]);
    expect(problems[2]?.message.zh).toMatch(/^apiV3Key 不是 32 个/);
    expect(problems.map(({ message }) => message.en)).toEqual([
      textContaining(/^accountId is not a merchant number/),
      textContaining(/^walletAppId is not a WeChat app id/),
      textContaining(/^apiV3Key is not 32/),
    ]);
  });

  it("reports an expired certificate", async () => {
    const over = { ...credentials, merchantCertificate: keys.expiredCertificate };
    expect(await checkWechatPayAccount({ ...account, credentials: over }, NOW)).toMatchObject([
      { code: "expired", field: "merchantCertificate" },
    ]);
    expect(await textsOf(checkWechatPayAccount({ ...account, credentials: over }, NOW))).toEqual([
      textContaining(/^merchantCertificate is not valid at this time/),
    ]);
    expect(await checkWechatPayAccount({ ...account, credentials: over }, NOW - 86_400_000)).toEqual([]);
  });
});
