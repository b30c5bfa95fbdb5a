import fc from "fast-check";
import { expect, it } from "vitest";
import { base64Url, bytesOfBase64Url } from "./base64-url.js";

it("agrees with the platform's base64url, both ways", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      const text = base64Url(bytes);
      expect(text).toBe(Buffer.from(bytes).toString("base64url"));
      expect([...(bytesOfBase64Url(text) ?? [])]).toEqual([...bytes]);
    }),
  );
});

it.each(["=", "a", "A+==", "AB", "你好"])("does not decode %j, which base64Url never returns", (text) => {
  expect(bytesOfBase64Url(text)).toBeUndefined();
});
