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
    "A failed answer is `{ code, msg, traceId }`; a successful one has code `0`. Decide by `code`, never by the HTTP status or " +
      "the words of `msg`. Codes are never renumbered and names never change their meaning.",
    "**Retry** says whether the same request may succeed later without a change. **Status** is the HTTP status with " +
      '`statusMode: "standard"`; by default every answer is 200, except where the status says "always". `{word}` in `msg` is filled in ' +
      "from the failure; no message repeats a value that was sent.",
    ...sections,
    "No answer has code `99999`: the Android client SDK keeps that number for its own exceptions.",
  );
}
