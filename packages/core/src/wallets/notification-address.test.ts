import { describe, expect, it } from "vitest";
import {
  bizNoOf,
  isReturnPath,
  notificationUrl,
  readNotificationPath,
  returnUrl,
} from "./notification-address.js";

const BASE = "https://pay.example/wallets";

describe("notificationUrl", () => {
  it.each(["b?1", "1", "a/b+c=d", "~!@#$%^&*()"])("builds a URL from which %s can be parsed", (bizNo) => {
    const url = notificationUrl(BASE, { payChannel: "WALLET_B", payToolId: "01TOOL", bizNo });
    const address = readNotificationPath(url.slice(BASE.length));
    expect(address).toMatchObject({ payChannel: "WALLET_B", payToolId: "01TOOL" });
    expect(bizNoOf(address?.orderRef ?? "")).toBe(bizNo);
  });
});

describe("readNotificationPath", () => {
  it.each([
    "/notify/WALLET_C/t/Yg",
    "/notify/WALLET_A/t",
    "/notify/WALLET_A/t/Yg/",
    "/notify/WALLET_A/t/%59g",
  ])("returns undefined for %s", (path) => {
    expect(readNotificationPath(path)).toBeUndefined();
  });
});

describe("returnUrl", () => {
  it("builds a URL whose path is a return path", () => {
    expect(returnUrl(BASE, "WALLET_B")).toBe(`${BASE}/return/WALLET_B`);
    expect(isReturnPath("/return/WALLET_B")).toBe(true);
    expect(isReturnPath("/return/WALLET_C")).toBe(false);
  });
});

describe("bizNoOf", () => {
  it("returns undefined for a text that no order can have", () => {
    expect(["", "IA", "AA", "Y", "5LiA"].map((ref) => bizNoOf(ref) ?? "none")).toEqual([
      "",
      "none",
      "none",
      "none",
      "none",
    ]);
  });
});
