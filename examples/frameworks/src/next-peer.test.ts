import { expect, it } from "vitest";
import { peerOf } from "../next/lib/peer-of.js";

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["198.51.100.1, 203.0.113.7", "203.0.113.7"],
  ["198.51.100.2,spoofed,2001:db8::7 ", "2001:db8::7"],
])("the address in %j is the part of the proxy", (value, peer) => {
  expect(peerOf({ headers: new Headers({ "x-forwarded-for": value }) })).toBe(peer);
});

it("a request without the header has no address", () => {
  expect(peerOf({ headers: new Headers() })).toBeUndefined();
});
