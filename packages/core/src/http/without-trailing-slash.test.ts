import { expect, it } from "vitest";
import { withoutTrailingSlash } from "./without-trailing-slash.js";

it.each([
  ["/order.json", "/order.json"],
  ["/order.json/", "/order.json"],
  ["/order.json//", "/order.json/"],
  ["/order.json%2F", "/order.json%2F"],
  ["//order.json", "//order.json"],
  ["/", ""],
])("reads the path %s as %s", (path, expected) => {
  expect(withoutTrailingSlash(path)).toBe(expected);
});
