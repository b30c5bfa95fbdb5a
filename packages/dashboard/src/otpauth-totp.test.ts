import { expect, it } from "vitest";
import { otpauthTotp } from "./otpauth-totp.js";

const totp = otpauthTotp("Shop");
/** The key of the test vectors of RFC 6238: the ASCII text 12345678901234567890. */
const KEY = totp.keyOf(new TextEncoder().encode("12345678901234567890"));

it("writes the key in Base32", () => {
  expect(KEY).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
});

it.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("accepts the code of RFC 6238 at %d s, and for 30 s before and after", (seconds, code) => {
  const step = Math.floor(seconds / 30);
  for (const distance of [-30, 0, 30])
    expect(totp.stepOf(code, KEY, (seconds + distance) * 1_000)).toBe(step);
  for (const distance of [-60, 60])
    expect(totp.stepOf(code, KEY, (seconds + distance) * 1_000)).toBeUndefined();
});

it.each(["", "28708", "2870822", "28708a", " 287082", "287082\n", "２８７０８２"])("refuses %j", (code) => {
  expect(totp.stepOf(code, KEY, 59_000)).toBeUndefined();
});

it("writes an address that contains issuer, operator and key", () => {
  const uri = new URL(totp.uri(KEY, "li@example.com"));
  expect(uri.protocol).toBe("otpauth:");
  expect(uri.searchParams.get("secret")).toBe(KEY);
  expect(uri.searchParams.get("issuer")).toBe("Shop");
  expect(decodeURIComponent(uri.pathname)).toContain("li@example.com");
});
