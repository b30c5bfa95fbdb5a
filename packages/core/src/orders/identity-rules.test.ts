import { describe, expect, it } from "vitest";
import type { App } from "../apps/app.js";
import { defaultPolicy } from "../policy.js";
import { forbiddenIdentity } from "./identity-rules.js";

const app = (identityChecks = { email: true, phone: true, card: true }): App => ({
  appId: "app",
  name: "Shop",
  accountBased: true,
  identityChecks,
  disabled: false,
  secrets: [],
  gmtCreate: 0,
  gmtModified: 0,
});

describe("forbiddenIdentity", () => {
  it.each([
    ["han.li@example.com", "email"],
    ["13800138000", "phone"],
    ["138 0013 8000", "phone"],
    ["+44 20 7946 0018", "phone"],
    ["8613800138000", "phone"],
    ["(138) 0013.8000", "phone"],
    ["１３８００１３８０００", "phone"],
    [" a@example.com ", "email"],
    ["4111.1111.1111.1111", "card"],
    ["4111111111111111", "card"],
    ["6222 0212 3456 7894", "card"],
    ["378282246310005", "card"],
    ["4111111111111996", "card"],
    ["138\u200b0013\u200b8000", "phone"],
    ["\ufeff13800138000", "phone"],
    ["1\u00ad3800138000", "phone"],
    ["1\u20603800138000\u202c", "phone"],
    ["1\u03323\u03328\u033200138000", "phone"],
    ["1\u31643800138000", "phone"],
    ["1\ufe0f3800138000", "phone"],
    ["+44\u200d20 7946 0018", "phone"],
    ["han.li\u200b@example.com", "email"],
    ["han.li@\u200bexample.com", "email"],
    ["han.li@example\u00ad.com", "email"],
    ["4111\u200c1111\u200c1111\u200c1111", "card"],
  ])("%s is %s", (identity, rule) => {
    expect(forbiddenIdentity(app(), identity, defaultPolicy)).toBe(rule);
  });

  it.each([
    "u-1",
    "user@home",
    "12345678901",
    "4111111111111112",
    "9111111111111119",
    "9000000000000001",
    "400000000000006",
    "order of a@example.com",
    "a@example.com twice",
    "213800138000",
    "138001380001",
    "010 6552 9988",
    "+1",
    "01JCXW9Z3K7Q2N5T8V0B4D6F1H",
  ])("%s is an internal id", (identity) => {
    expect(forbiddenIdentity(app(), identity, defaultPolicy)).toBeUndefined();
  });

  it("skips a check that is disabled for the app", () => {
    const numeric = app({ email: true, phone: true, card: false });
    expect(forbiddenIdentity(numeric, "4111111111111111", defaultPolicy)).toBeUndefined();
  });
});
