import { expect, it } from "vitest";
import { storedCustomerName } from "../orders/customer-name.js";
import { forbiddenIdentity } from "../orders/identity-rules.js";
import { defaultPolicy } from "../policy.js";
import { EVERY_CHECK } from "../testing/stubs.js";

const PIECES = [
  "1",
  "1-",
  "138 ",
  "1 3",
  "+1",
  "+1 2 3 4 5 6 7 8 9 0 ",
  "00 1 2 3 4 5 6 7 8 9",
  "x5",
  "ext",
  ";",
  ";1",
  "@",
  "a@",
  "a.",
  "a@a",
  "a@a. ",
  "<",
  "(at)",
  "[dot] ",
  '"',
  " ",
  "\u3000",
  "-",
  "·",
  "\u0301",
  "\u200b",
  "١",
  "一",
  "一 ",
  "①",
  "ﷺ",
  "%41",
  "%",
  "%E4",
  "é",
  "o",
  "oA",
  "wxid_",
  "2088 ",
  "11010519491231002X ",
];

/** Returns the processor time of both checks, so that other processes do not count. */
function milliseconds(text: string): number {
  const start = process.cpuUsage();
  forbiddenIdentity({ identityChecks: EVERY_CHECK }, { customerIdentity: text, bizNo: text }, defaultPolicy);
  storedCustomerName(text, defaultPolicy);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

it.each(PIECES)("checks 64 KiB of %j for personal data in linear time", (piece) => {
  const fill = (length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  milliseconds(fill(65_536));
  // The lengths alternate, so that a slow moment of the machine affects both.
  const rounds = [1, 2, 3, 4, 5].map(() => [milliseconds(fill(16_384)), milliseconds(fill(65_536))] as const);
  const quarter = Math.min(...rounds.map(([short]) => short));
  const whole = Math.min(...rounds.map(([, long]) => long));
  // Quadratic time would be 16 times as long. Short times vary.
  expect(whole).toBeLessThan(8 * quarter + 50);
});
