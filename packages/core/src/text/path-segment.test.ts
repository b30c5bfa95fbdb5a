import { expect, it } from "vitest";
import { readPathSegment, writePathSegment } from "./path-segment.js";

const VISIBLE_ASCII = Array.from({ length: 94 }, (_, nth) => String.fromCharCode(0x21 + nth));
const TEXTS = [
  ...VISIBLE_ASCII,
  ...VISIBLE_ASCII.flatMap((one) => [`${one}${one}`, `.${one}`, `${one}.`, `~${one}`]),
  "..",
  "...",
  "%2e",
  "%2E%2e",
  ".%2e",
  "~2E",
  "~7E",
  "~",
  "~~2E",
  "a/../b",
  "a%2Fb",
  "//",
  "\\..\\",
  "?x=1#y",
  "a+b c",
  "订单",
  "😀",
  "\u202e",
  "~é",
  "%",
  "%zz",
  "con",
  VISIBLE_ASCII.join(""),
];

it.each(TEXTS)("writes %j so that a URL parser does not change it", (text) => {
  const segment = writePathSegment(text);
  expect(segment).toMatch(/^[\w.~-]+$/);
  const { pathname } = new URL(`/api/orders/${segment}/events`, "https://shop.example");
  expect(pathname).toBe(`/api/orders/${segment}/events`);
  expect(readPathSegment(segment)).toBe(text);
  // A proxy may decode the path, or encode it again.
  expect(readPathSegment(decodeURIComponent(segment))).toBe(text);
  expect(readPathSegment(encodeURIComponent(segment))).toBe(text);
});

it.each(TEXTS.filter((text) => !text.includes("~")))("reads %j from a percent-encoded segment", (text) => {
  expect(readPathSegment(encodeURIComponent(text))).toBe(text);
});

it("does not change a usual order number", () => {
  expect(writePathSegment("order_2026-11.27")).toBe("order_2026-11.27");
});

it.each(["%", "%zz", "~FF", "%FF", "~C3"])("returns undefined for the segment %s", (segment) => {
  expect(readPathSegment(segment)).toBeUndefined();
});

it("reads a tilde that begins no escape as a tilde", () => {
  expect(readPathSegment("a~b~2")).toBe("a~b~2");
});
