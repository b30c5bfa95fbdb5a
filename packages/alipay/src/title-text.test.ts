import { expect, it } from "vitest";
import { titleText } from "./title-text.js";

it("removes the symbols that Alipay refuses in a title", () => {
  expect(titleText("a/b=c&d 会员", 256, "x")).toBe("a b c d 会员");
});

it("replaces an emoji or a control character with a space", () => {
  expect(titleText("a👨‍👩‍👧b\nc❤️d", 256, "x")).toBe("a b c d");
});
