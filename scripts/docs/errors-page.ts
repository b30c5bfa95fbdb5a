import { CODE_RANGES, type CodeRange, ERROR_CATALOG, type ErrorEntry } from "@tillkit/core/errors";
import { code, page, table } from "./markdown.js";

/** Creates the reference of failures: every row of the error catalog, by category. */
export function errorsPage(): string {
  const rows = Object.entries<ErrorEntry>(ERROR_CATALOG).map(([name, entry]) => ({ name, ...entry }));
  const categories = [...new Set(rows.map(({ category }) => category))];
  const sections = categories.flatMap((category) => {
    const members = rows.filter((row) => row.category === category).sort((a, b) => a.code - b.code);
    return [`## ${category}`, ...members.flatMap(entryTexts)];
  });
  return page(
    "Errors",
    "A failure is `{ code, msg, traceId }`; a success has code `0`. Branch on `code`, never on the HTTP status or on " +
      "the text of `msg`. Codes and names never change their meaning.",
    "**Retry** says whether the same request may succeed later without a change. **Status** is the HTTP status with " +
      '`statusMode: "standard"`; by default every response has status 200, unless it says "always". The quoted lines are `msg`: Tillkit replaces ' +
      "`{word}` by a detail of the failure or of the policy. No message contains a value from the request. `WALLET_A` and `WALLET_B` stand for " +
      "the names in `policy.payChannelNames`.",
    ...sections,
    "## Codes that the service never sends",
    "Each category has ranges of codes. The table lists the codes of the ranges that no response has. " +
      "The Android client SDK uses `99999` for its own exceptions.",
    table(
      ["Category", "Codes"],
      Object.entries<readonly CodeRange[]>(CODE_RANGES)
        .map(([category, ranges]) => [category, unsentCodes(ranges).map(code).join(" ")])
        .filter(([, codes]) => codes !== ""),
    ),
  );
}

/** Returns the heading and the paragraphs of a failure. */
function entryTexts(entry: ErrorEntry & { readonly name: string }): readonly string[] {
  const { code: number, name, meaning, advice, retryable, status, statusInEveryMode, message } = entry;
  const always = statusInEveryMode === true ? " always" : "";
  return [
    `### ${String(number)} ${code(name)}`,
    `${meaning} **What to do:** ${advice}`,
    `**Retry:** ${retryable ? "yes" : "no"}. **Status:** ${String(status)}${always}.`,
    `> ${message.en}<br>${message.zh}`,
  ];
}

/** Returns the codes of the ranges that no failure has. */
function unsentCodes(ranges: readonly CodeRange[]): readonly string[] {
  const sent = new Set(Object.values<ErrorEntry>(ERROR_CATALOG).map((entry) => entry.code));
  const codes = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
  return codes.filter((one) => !sent.has(one)).map(String);
}
