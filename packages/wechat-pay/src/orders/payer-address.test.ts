import { orThrow } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { request } from "../testing/requests.js";
import { payerAddress } from "./payer-address.js";

const forH5 = { ...request, paySource: "H5" } as const;
const address = (appEnv: "DEV" | "PROD", given: string | undefined) =>
  payerAddress({ payerClientIp: () => given, payerClientIpName: "x-payer-client-ip" }, { appEnv }, forH5);

const PUBLIC = [
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "191.255.255.255",
  "192.0.1.0",
  "192.0.3.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "198.51.99.255",
  "198.51.101.0",
  "203.0.112.255",
  "203.0.114.0",
  "223.255.255.255",
  "64:ff9a::1",
  "64:ff9b:2::1",
  "2001:db7::1",
  "2001:db9::1",
  "2001:ffff::1",
  "2003::1",
  "2400:3200::1",
  "2409:8a00::1",
  "fbff::1",
  "fe00::1",
];

const NOT_PUBLIC = [
  ["private", ["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1"]],
  ["loopback", ["127.0.0.1", "127.255.255.255", "::1"]],
  ["link-local", ["169.254.0.1", "169.254.255.255", "fe80::1", "febf::1"]],
  ["unspecified", ["0.0.0.0", "0.1.2.3", "::", "0:0:0:0:0:0:0:0"]],
  ["multicast", ["224.0.0.1", "239.255.255.255", "ff02::1"]],
  ["reserved", ["240.0.0.1", "255.255.255.255"]],
  ["for special purposes", ["192.0.0.1", "192.0.0.255"]],
  ["of benchmarks", ["198.18.0.1", "198.19.255.255"]],
  ["of documentation", ["192.0.2.7", "198.51.100.7", "203.0.113.7", "2001:db8::7", "2001:db8:ffff::7"]],
  ["behind NAT64", ["64:ff9b::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::8.8.8.8"]],
  ["of 6to4", ["2002:a00:1::1", "2002:7f00:1::1", "2002:808:808::1"]],
  ["carrier-grade NAT", ["100.64.0.1", "100.127.255.255"]],
  ["unique local", ["fc00::1", "fd12:3456::1", "FD12:3456::1"]],
  ["site-local", ["fec0::1"]],
  [
    "mapped from IPv4",
    ["::ffff:10.0.0.1", "::ffff:127.0.0.1", "::FFFF:169.254.1.1", "::ffff:a00:1", "0:0:0:0:0:ffff:c0a8:1"],
  ],
  ["compatible with IPv4", ["::127.0.0.1", "::10.0.0.1"]],
] as const;

describe("the customer's address of a PROD account", () => {
  it.each(PUBLIC)("may be any public address: %s", (given) => {
    expect(orThrow(address("PROD", given))).toBe(given);
  });

  it.each(NOT_PUBLIC)("must not be %s", (_kind, all) => {
    for (const given of all) {
      const failure = address("PROD", given)._unsafeUnwrapErr();
      expect(failure, given).toMatchObject({
        name: "wallet.rejected",
        reason: "payer-address",
        trusted: true,
        parameter: "x-payer-client-ip",
      });
      expect(failure.detail).toContain("not on the public internet");
      expect(failure.detail).toContain("nothing was sent");
      expect(failure.detail).not.toContain(given);
    }
  });
});

describe("the customer's address of a DEV account", () => {
  it.each(NOT_PUBLIC)("may be %s, so that a sandbox works", (_kind, all) => {
    for (const given of all) expect(address("DEV", given).isOk(), given).toBe(true);
  });
});

describe.each(["DEV", "PROD"] as const)("the customer's address of a %s account", (appEnv) => {
  it.each([undefined, ""])("is required: %j", (given) => {
    expect(address(appEnv, given)._unsafeUnwrapErr()).toEqual({
      name: "wallet.rejected",
      reason: "payer-address",
      trusted: true,
      parameter: "x-payer-client-ip",
      detail:
        "H5 needs the customer's IP address, and the request has none; callers send it as x-payer-client-ip, " +
        "and the host gives it to the adapter in the option payerClientIp; nothing was sent",
    });
  });

  it.each([
    "unknown",
    "localhost",
    "203.0.113.7, 10.0.0.1",
    "203.0.113.7:443",
    "[2001:db8::7]",
    "203.0.113.007",
    "203.0.113",
    "0x7f.0.0.1",
    " 203.0.113.7",
    "203.0.113.0/24",
    "fe80::1%eth0",
    "2001:db8::7%1",
  ])("must be an address: %j", (given) => {
    const failure = address(appEnv, given)._unsafeUnwrapErr();
    expect(failure.detail).toContain("not an IP address");
    expect(failure.detail).not.toContain(given);
  });

  it.each([
    ["::ffff:114.114.114.7", "114.114.114.7"],
    ["::FFFF:7272:7207", "114.114.114.7"],
    ["0:0:0:0:0:ffff:808:808", "8.8.8.8"],
  ])("is sent to WeChat Pay as IPv4 if it is mapped: %s", (given, sent) => {
    expect(orThrow(address(appEnv, given))).toBe(sent);
  });
});
