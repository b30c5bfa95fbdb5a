import { expect, it } from "vitest";
import { counted } from "./counted.js";

it("writes one thing without, and any other number with, an s", () => {
  const texts = [0, 1, 2].map((count) => counted(count, "more line"));
  expect(texts).toEqual(["0 more lines", "1 more line", "2 more lines"]);
});
