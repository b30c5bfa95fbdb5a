import { expect, it } from "vitest";
import { shownText } from "./reason-input.js";

it.each(["", " ", "\u3000", "\u200b\u2060", "\u3164", "\u2800", "a\nb"])("refuses the reason %j", (text) => {
  expect(shownText().safeParse(text).success).toBe(false);
});

it("keeps a reason as written, without the spaces around it", () => {
  expect(shownText().parse(" 客户 a\u200bb ")).toBe("客户 a\u200bb");
});
