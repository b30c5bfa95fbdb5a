import { expect, it } from "vitest";
import { type GatewayOptions, openGateways } from "./gateways.js";

const hostsOf = (gateways: GatewayOptions["gateways"], appEnv: "DEV" | "PROD") =>
  openGateways(gateways === undefined ? {} : { gateways })({ appEnv })?.inOrder();

it("openGateways returns WeChat Pay's two hosts for PROD and none for DEV by default", () => {
  expect(hostsOf(undefined, "PROD")).toMatchObject([
    { address: { hostname: "api.mch.weixin.qq.com" }, basePath: "" },
    { address: { hostname: "api2.mch.weixin.qq.com" }, basePath: "" },
  ]);
  expect(hostsOf(undefined, "DEV")).toBeUndefined();
});

it("openGateways keeps a base path, without a slash at its end", () => {
  const gateways = { PROD: "https://proxy.example/wechat/", DEV: "http://127.0.0.1:1" };
  const proxy = { address: { hostname: "proxy.example" }, basePath: "/wechat" };
  expect(hostsOf(gateways, "PROD")).toMatchObject([proxy]);
  const sandbox = { address: { hostname: "127.0.0.1", port: 1 }, basePath: "" };
  expect(hostsOf(gateways, "DEV")).toMatchObject([sandbox]);
});

it("openGateways keeps the order of a list", () => {
  const gateways = { PROD: ["https://one.example", "https://two.example/base"] };
  expect(hostsOf(gateways, "PROD")).toMatchObject([
    { address: { hostname: "one.example" } },
    { address: { hostname: "two.example" }, basePath: "/base" },
  ]);
});

it("openGateways accepts http only for loopback addresses", () => {
  for (const DEV of ["http://localhost:1", "http://127.9.9.9", "http://[::1]:1"])
    expect(hostsOf({ DEV }, "DEV")).toHaveLength(1);
  for (const text of ["http://api.mch.weixin.qq.com", "http://localhost.example", "http://127.0.0.1.example"])
    for (const name of ["PROD", "DEV"])
      for (const addresses of [text, ["https://good.example", text]])
        expect(() => hostsOf({ [name]: addresses }, "PROD")).toThrow(`gateways.${name} must be an https`);
});

it("openGateways rejects an invalid address, an address with more than a path, and an empty list", () => {
  for (const PROD of [
    "",
    "api.mch.weixin.qq.com",
    "ftp://h",
    "https://u:p@h",
    "https://h/?a",
    "https://h/#a",
  ])
    expect(() => hostsOf({ PROD }, "PROD")).toThrow("gateways.PROD must be an https address");
  expect(() => hostsOf({ PROD: [] }, "PROD")).toThrow("gateways.PROD must have an address");
});
