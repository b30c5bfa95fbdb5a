import { expect, it } from "vitest";
import { splitTarget } from "./split-target.js";

it.each([
  ["/a/b?c=1", "/a/b", "c=1"],
  ["/a?b?c", "/a", "b?c"],
  ["/a?", "/a", ""],
  ["/a%3Fb", "/a%3Fb", ""],
  ["//host/a?b", "//host/a", "b"],
  ["/http://x/a", "/http://x/a", ""],
  ["http://127.0.0.1:80/a?b=1", "/a", "b=1"],
  ["HTTPS://user@host", "/", ""],
  ["https://host?b=http://x/y", "/", "b=http://x/y"],
  ["", "/", ""],
  ["?b=1", "/", "b=1"],
  ["*", "*", ""],
])("splits %j into %j and %j", (url, path, query) => {
  expect(splitTarget(url)).toEqual({ path, query });
});
