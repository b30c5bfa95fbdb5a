import { expect, it } from "vitest";
import { openGateways } from "./gateways.js";

it("leads PROD to WeChat Pay and DEV nowhere, if not said otherwise", () => {
  const real = { address: { hostname: "api.mch.weixin.qq.com" }, basePath: "" };
  expect(openGateways({})({ appEnv: "PROD" })).toMatchObject(real);
  expect(openGateways({})({ appEnv: "DEV" })).toBeUndefined();
});

it("keeps a base path, without a slash at its end", () => {
  const gateways = { PROD: "https://proxy.example/wechat/", DEV: "http://127.0.0.1:1" };
  const gatewayOf = openGateways({ gateways });
  const proxy = { address: { hostname: "proxy.example" }, basePath: "/wechat" };
  expect(gatewayOf({ appEnv: "PROD" })).toMatchObject(proxy);
  const sandbox = { address: { hostname: "127.0.0.1", port: 1 }, basePath: "" };
  expect(gatewayOf({ appEnv: "DEV" })).toMatchObject(sandbox);
});

it("takes http on this machine only", () => {
  for (const DEV of ["http://localhost:1", "http://127.9.9.9", "http://[::1]:1"])
    expect(openGateways({ gateways: { DEV } })({ appEnv: "DEV" })).toBeDefined();
  for (const text of ["http://api.mch.weixin.qq.com", "http://localhost.example", "http://127.0.0.1.example"])
    for (const name of ["PROD", "DEV"])
      expect(() => openGateways({ gateways: { [name]: text } })).toThrow(`gateways.${name} must be an https`);
});

it("refuses an address that is none or has more than a path", () => {
  for (const PROD of [
    "",
    "api.mch.weixin.qq.com",
    "ftp://h",
    "https://u:p@h",
    "https://h/?a",
    "https://h/#a",
  ])
    expect(() => openGateways({ gateways: { PROD } })).toThrow("gateways.PROD must be an https address");
});
