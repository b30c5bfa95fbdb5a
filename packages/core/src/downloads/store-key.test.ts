import { describe, expect, it } from "vitest";
import { storeKey } from "./store-key.js";

describe("storeKey", () => {
  it.each([
    ["App Store", "APPSTORE"],
    ["App Store", "ａｐｐ\u3000ｓｔｏｒｅ"],
    ["Café", "Cafe\u0301"],
    ["Straße", "STRASSE"],
    ["App Store", "App\u200b\u00adStore\ufeff"],
    ["ﾄﾞｺﾓ", "ドコモ"],
  ])("is the same for %j and %j", (left, right) => {
    expect(storeKey(left)).toBe(storeKey(right));
  });

  it.each([
    ["store_01", "store_1"],
    ["华为", "華為"],
    ["store-01", "store_01"],
  ])("differs for %j and %j", (left, right) => {
    expect(storeKey(left)).not.toBe(storeKey(right));
  });
});
