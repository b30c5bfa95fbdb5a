import { describe, expect, it } from "vitest";
import { account } from "../testing/stubs.js";
import { billedMerchants } from "./bill.js";

describe("billedMerchants", () => {
  it("groups a merchant's pay tools of all apps, and uses the latest working one", () => {
    const tools = [
      { ...account, id: "t1", appId: "app_1", gmtModified: 1 },
      { ...account, id: "t2", appId: "app_2", gmtModified: 3, signStatus: "NO" as const },
      { ...account, id: "t3", appId: "app_3", gmtModified: 2 },
    ];
    expect(billedMerchants(tools)).toEqual([
      {
        merchant: { payChannel: "WALLET_A", appEnv: "DEV", accountId: "merchant-1" },
        payToolIds: ["t1", "t2", "t3"],
        asking: tools[2],
      },
    ]);
  });

  it("distinguishes gateways, channels and accounts", () => {
    const tools = [
      account,
      { ...account, id: "t2", appEnv: "PROD" as const },
      { ...account, id: "t3", payChannel: "WALLET_B" as const },
      { ...account, id: "t4", accountId: "merchant-2" },
    ];
    expect(billedMerchants(tools).map(({ payToolIds }) => payToolIds)).toEqual([
      [account.id],
      ["t2"],
      ["t3"],
      ["t4"],
    ]);
  });
});
