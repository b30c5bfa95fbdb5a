import { expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { storedCustomerName } from "./customer-name.js";

it.each([
  "Li Lei",
  "李雷",
  "李三",
  "10000000001",
  "4111111111111111",
  "han@home",
  "13800138",
  "李雷 138",
  "Li Lei 2026-11-27",
  "Li Lei 138001380001",
])("stores the name %j", (name) => {
  expect(storedCustomerName(name, defaultPolicy)).toBe(name);
});

it.each([
  "13800138000",
  "+86 138-0013-8000",
  "１３８００１３８０００",
  "138\u200b0013\u200b8000",
  "+14155550132",
  "han.li@example.com",
  " han.li\u200b@example.com ",
  "Ann 13800138000",
  "Ann13800138000",
  "张三13800138000",
  "张三138–0013–8000",
  "Ann (138·0013·8000)",
  "Ann 12345 13800138000 12345",
  "Ann, tel:+44 20 7946 0018, room 5",
  "Ann 0044 20 7946 0018",
  "Ann 0086-13800138000",
  "李三 一三八〇〇一三八〇〇〇",
  "Ann <kim@example.com>",
  "Ann kim＠example.com",
  "Ann 11010519491231002X",
])("does not store %j", (name) => {
  expect(storedCustomerName(name, defaultPolicy)).toBeUndefined();
});

it.each([undefined, " ", "\u3000\u200b", "\u3164"])("stores nothing for %j", (name) => {
  expect(storedCustomerName(name, defaultPolicy)).toBeUndefined();
});
