import { expect, it } from "vitest";
import * as z from "zod";
import { readJson } from "./read-json.js";

const schema = z.object({ code: z.string() });

it("readJson parses a text and its UTF-8 bytes", () => {
  const text = '{"code":"会员","other":1}';
  expect(readJson(schema, text)).toEqual({ code: "会员" });
  expect(readJson(schema, Buffer.from(text, "utf8"))).toEqual({ code: "会员" });
});

it.each([
  ["nothing", undefined],
  ["an empty text", ""],
  ["a text that is not JSON", "<html>"],
  ["another form", '{"code":7}'],
  ["bytes that are not UTF-8", Buffer.from('{"code":"\xff"}', "latin1")],
])("readJson returns undefined for %s", (_case, source) => {
  expect(readJson(schema, source)).toBeUndefined();
});
