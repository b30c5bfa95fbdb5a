import { describe, expect, it } from "vitest";
import { PAY_CHANNELS } from "../pay-tools/pay-tool.js";
import { defaultPolicy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import { PAY_SOURCES } from "../wallets/pay-source.js";
import { payerIdOf } from "./payer-id.js";
import { createOrderInput } from "./create-order-input.js";

const read = (changes: Readonly<Record<string, unknown>>) =>
  parseInput(createOrderInput(defaultPolicy), {
    bizNo: "b-1",
    amount: 600,
    goodsTitle: "Thirty days",
    ...changes,
  });
const payer = { WALLET_A: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o", WALLET_B: "2088102146225135" } as const;

describe("paySource", () => {
  it("accepts every source, except a desktop browser with WALLET_A", () => {
    for (const payChannel of PAY_CHANNELS)
      for (const paySource of PAY_SOURCES) {
        const input = read({ payChannel, paySource, payerId: payer[payChannel] });
        expect(input.isOk(), `${payChannel} ${paySource}`).toBe(
          payChannel !== "WALLET_A" || paySource !== "PC",
        );
      }
  });

  it.each(PAY_CHANNELS)("keeps the payer only for JSAPI: %s", (payChannel) => {
    for (const paySource of PAY_SOURCES) {
      const input = { payChannel, paySource, payerId: payer[payChannel] };
      expect(payerIdOf(input), paySource).toBe(paySource === "JSAPI" ? payer[payChannel] : undefined);
    }
  });
});

describe("a payerId", () => {
  const ruleFor = (payChannel: string, payerId: string) =>
    read({ payChannel, paySource: "JSAPI", payerId }).match(
      () => "taken",
      (failure) => failure,
    );
  const foreign = { name: "parameter.invalid", parameter: "payerId", rule: "payer-id" };

  it.each(["o", "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o", "o-_|*.:/+=~", "x".repeat(128)])(
    "of WALLET_A may be any visible text: %s",
    (payerId) => {
      expect(ruleFor("WALLET_A", payerId)).toBe("taken");
    },
  );

  it.each(["han@mail.example", "13800138000", "+8613800138000", "138-0013-8000", "+14155550132"])(
    "of WALLET_A must not be personal data: %s",
    (payerId) => {
      expect(ruleFor("WALLET_A", payerId)).toEqual(foreign);
    },
  );

  it.each(["2088102146225135", "074a1CcTG1LelxKe4xQC0zgNdId0nxi95b5lsNpazWYoCo5", "a-_", "x".repeat(128)])(
    "of WALLET_B may be a user id or an open id: %s",
    (payerId) => {
      expect(ruleFor("WALLET_B", payerId)).toBe("taken");
    },
  );

  it.each([
    "208810214622513",
    "20881021462251350",
    "1088102146225135",
    "13800138000",
    "han@mail.example",
    "a.b",
  ])("of WALLET_B must not be anything else: %s", (payerId) => {
    expect(ruleFor("WALLET_B", payerId)).toEqual(foreign);
  });

  it("is not checked if the payment needs none", () => {
    expect(read({ payChannel: "WALLET_B", payerId: "13800138000" }).isOk()).toBe(true);
  });
});
