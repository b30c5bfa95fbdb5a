import { expect, it } from "vitest";
import { headersIn } from "../../shared/message-headers.js";
import { wantedLanguage } from "./wanted-language.js";

it.each([
  [undefined, undefined],
  ["", undefined],
  ["*", undefined],
  ["zh", "zh"],
  ["zh-CN,zh;q=0.9,en;q=0.8", "zh-CN"],
  ["en;q=0.5, zh-Hant-TW ; q=0.9", "zh-Hant-TW"],
  ["*;q=1, en;q=0.1", "en"],
  ["en;q=0", undefined],
  ["en;q=x, fr;q=0.1", "fr"],
  ["en;q=9, fr;q=1", "fr"],
  ["en, fr", "en"],
  ["en_GB", undefined],
  ["<script>", undefined],
  ["toolongforalanguage", undefined],
  [`${"*,".repeat(300)}en`, undefined],
])("reads %j as %j", (header, language) => {
  expect(wantedLanguage(headersIn({ "accept-language": header }))).toBe(language);
});

it.each([";", ",", "q", "en;q=0.", "en-"])("reads the start of a long header of %j", (part) => {
  const header = part.repeat(1_000_000);
  const startedAt = performance.now();
  expect(wantedLanguage(headersIn({ "accept-language": header }))).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(500);
});
