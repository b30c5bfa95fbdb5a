import { describe, expect, it } from "vitest";
import { peerKey } from "./peer-key.js";

describe("peerKey", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    [" 192.0.2.7 ", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["0:0:0:0:0:FFFF:192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["[::FFFF:C000:0207]:443", "192.0.2.7"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8::1:2:3:4:5", "2001:db8:0:1::/64"],
    ["192.0.2.7:50123", "192.0.2.7"],
    ["[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::1]", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["not an address", "not an address"],
  ])("returns the key of the address %s", (address, key) => {
    expect(peerKey(address)).toBe(key);
  });

  it("returns different keys for different networks and IPv4 addresses", () => {
    expect(peerKey("2001:db8:1:3::1")).not.toBe(peerKey("2001:db8:1:2::1"));
    expect(peerKey("192.0.2.8")).not.toBe(peerKey("192.0.2.7"));
  });

  it("returns one key for all requests without an address", () => {
    expect(peerKey(undefined)).toBe("");
  });
});
