import { expect, it } from "vitest";
import { parseGatewayUrl } from "./parse-gateway-url.js";

it.each([
  "https://api.example",
  "https://api.example:8443/base/path",
  "http://localhost:8080/gateway.do",
  "http://127.0.0.1:8080",
  "http://127.8.0.1",
  "http://[::1]:8080",
])("parseGatewayUrl accepts %s", (address) => {
  expect(parseGatewayUrl("PROD", address)).toEqual(new URL(address));
});

it.each([
  "",
  "api.example",
  "ftp://api.example",
  "http://api.example",
  "http://127.0.0.1.example",
  "https://user@api.example",
  "https://user:password@api.example",
  "https://api.example?a=b",
  "https://api.example#a",
])("parseGatewayUrl throws for %j", (address) => {
  expect(() => parseGatewayUrl("PROD", address)).toThrow("gateways.PROD must be an https address");
});
