import { expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { storedCustomerName } from "./customer-name.js";

it.each(["Li Lei", "李雷", "Li Lei 13800138000", "10000000001", "4111111111111111", "han@home", "13800138"])(
  "stores the name %j",
  (name) => {
    expect(storedCustomerName(name, defaultPolicy)).toBe(name);
  },
);

it.each([
  "13800138000",
  "+86 138-0013-8000",
  "１３８００１３８０００",
  "138\u200b0013\u200b8000",
  "+14155550132",
  "han.li@example.com",
  " han.li\u200b@example.com ",
])("does not store %j", (name) => {
  expect(storedCustomerName(name, defaultPolicy)).toBeUndefined();
});

it("stores nothing without a name", () => {
  expect(storedCustomerName(undefined, defaultPolicy)).toBeUndefined();
});
