import { ERROR_CATALOG, type ErrorEntry } from "@tillkit/core/errors";
import { code, page, table } from "./markdown.js";

/** Creates the reference of failures: every row of the error catalogue, by category. */
export function errorsPage(): string {
  const rows = Object.entries<ErrorEntry>(ERROR_CATALOG).map(([name, entry]) => ({ name, ...entry }));
  const categories = [...new Set(rows.map(({ category }) => category))];
  const sections = categories.flatMap((category) => {
    const members = rows.filter((row) => row.category === category).sort((a, b) => a.code - b.code);
    return [
      `## ${category}`,
      table(
        ["Code", "Name", "When it happens", "What to do", "Retry", "Status", "`msg`"],
        members.map(
          ({ code: number, name, meaning, advice, retryable, status, statusInEveryMode, message }) => [
            String(number),
            code(name),
            meaning,
            advice,
            retryable ? "yes" : "no",
            statusInEveryMode === true ? `${status} always` : String(status),
            `${message.en}\n${message.zh}`,
          ],
        ),
      ),
    ];
  });
  return page(
    "Errors",
    "A failure is `{ code, msg, traceId }`; a success has code `0`. Branch on `code`, never on the HTTP status or on " +
      "the text of `msg`. Codes and names never change their meaning.",
    "**Retry** says whether the same request may succeed later without a change. **Status** is the HTTP status with " +
      '`statusMode: "standard"`; by default every response has status 200, unless the column says "always". Tillkit replaces `{word}` in `msg` ' +
      "by a detail of the failure. No message contains a value from the request.",
    ...sections,
    "No response has code `99999`: the Android client SDK uses this number for its own exceptions.",
  );
}
