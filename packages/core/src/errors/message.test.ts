import { describe, expect, it } from "vitest";
import { ERROR_CATALOG } from "./catalog.js";
import { failureMessage } from "./message.js";

describe("failureMessage", () => {
  it("fills in the details of the failure, in both languages", () => {
    const failure = { name: "parameter.invalid", parameter: "goodsTitle", rule: "length" } as const;
    expect(failureMessage(failure, "en")).toBe("Parameter goodsTitle is longer than allowed");
    expect(failureMessage(failure, "zh")).toBe("参数 goodsTitle 超过允许的长度");
  });

  it("names the fields of a conflict and the kind of a wallet's failure", () => {
    expect(failureMessage({ name: "biz-no.conflict", fields: ["amount", "goodsTitle"] }, "en")).toMatch(
      /amount, goodsTitle$/,
    );
    expect(failureMessage({ name: "wallet-b.failed", kind: "rejected" }, "en")).toBe(
      "WALLET_B refused the payment",
    );
  });

  it("uses the policy's names of stores and channels", () => {
    const names = {
      sourceFromTokens: ["huawei", "xiaomi"],
      payChannelNames: { WALLET_A: "messenger", WALLET_B: "payer" },
    };
    expect(failureMessage({ name: "source-from.invalid" }, "en", names)).toBe(
      "Parameter sourceFrom must be one of huawei, xiaomi, others",
    );
    expect(failureMessage({ name: "pay-channel.invalid" }, "zh", names)).toBe(
      "参数 payChannel 必须为 messenger 或 payer",
    );
    expect(failureMessage({ name: "wallet-b.failed", kind: "rejected" }, "en", names)).toBe(
      "payer refused the payment",
    );
    expect(failureMessage({ name: "pay-source.invalid", rule: "unavailable" }, "en", names)).toMatch(
      /must not be PC for messenger:/,
    );
    expect(failureMessage({ name: "wallet-a.rejected" }, "en")).toBe("WALLET_A refused the payment");
  });

  it("has both languages for every row", () => {
    for (const { message } of Object.values(ERROR_CATALOG)) {
      expect(message.en).toMatch(/^[\x20-\x7e]+$/);
      expect(message.zh).toMatch(/\p{Script=Han}/u);
    }
  });
});
