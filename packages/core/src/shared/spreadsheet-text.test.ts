import { describe, expect, it } from "vitest";
import { spreadsheetText, textOfSpreadsheet } from "./spreadsheet-text.js";

const CHANGED = [
  "4200000000000000000000000002",
  "12345678901",
  "00123",
  "007",
  "0.0",
  "1.50",
  ".5",
  "5.",
  "-0",
  "1E5",
  "1e5",
  "12E003",
  "1e+5",
  "1.5E-3",
  "2D4",
  "１２３",
  "１Ｅ５",
  "٤٢٠٠",
  "1,000",
  "1 000",
  "1\u00A0000",
  "50%",
  "¥5",
  "$5",
  "￥5",
  "(5)",
  "1/2",
  "3-4",
  "1:30",
  "12:30 PM",
  "2026-11-27",
  "27.11.2026",
  "11/27/26",
  "1-Mar",
  "MAR1",
  "SEPT2",
  "March 5, 2026",
  "27 dec",
  "2026年11月27日",
  "3月1日",
  "8时30分",
  "下午3时",
  "TRUE",
  "false",
  " 00123 ",
  "\u200B00123",
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "\n=1",
  "＝1+1",
  "＋1",
  "－1",
  "＠x",
  " =1",
  "\u3000=1",
  "\u200b=1",
  "\ufeff=1",
  "\u202e@x",
  "-abc",
  "+86 13800000000",
];

const KEPT = [
  "",
  "0",
  "7",
  "1234567890",
  "b-1",
  "order-1001",
  "a=b",
  "a-b",
  "Month",
  "月卡",
  "会员年卡 12 个月",
  "1d",
  "e5",
  "deed1",
  "app_01",
  "summary 1",
  "user@example.com",
  "2026-11-23T14:03:22+08:00",
  "x1e5",
  "1600000001a",
  "Truely",
  "'quoted'",
  "[1]",
  "0x1F",
  "1.2.x",
];

describe("spreadsheetText", () => {
  it.each(CHANGED)("writes an apostrophe before %j", (text) => {
    expect(spreadsheetText(text)).toBe(`'${text}`);
  });

  it.each(KEPT)("keeps %j", (text) => {
    expect(spreadsheetText(text)).toBe(text);
  });
});

describe("textOfSpreadsheet", () => {
  it.each([...CHANGED, ...KEPT, "'00123", "''=1", "'b-1", "'"])("returns what was written: %j", (text) => {
    expect(textOfSpreadsheet(spreadsheetText(text))).toBe(text);
  });
});
