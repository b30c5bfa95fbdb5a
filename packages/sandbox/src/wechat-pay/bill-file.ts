import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { BillForm, WrittenBill } from "../bills/bill-archive.js";

/** Bytes of empty lines that make a bill too large. Compressed with gzip they are small. */
const PADDING = 4 * 1024 * 1024;

/** The table of a WeChat Pay bill: its column names, its rows and its totals. */
export interface BillTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly totalNames: readonly string[];
  readonly totals: readonly string[];
}

/**
 * Writes a bill of WeChat Pay.
 *
 * The file is UTF-8 with a byte order mark, a back-tick before every field, and the totals at the
 * end.
 * @param printed - the table whose lines are printed.
 * @param stated - the table that the digest and the totals are computed from.
 */
export function writeBillFile(
  printed: BillTable,
  stated: BillTable,
  { fault }: BillForm,
  isZipped: boolean,
): Pick<WrittenBill, "file" | "text"> {
  const textOf = ({ columns, rows }: BillTable) => {
    const lines = rows
      .map(row)
      .map((line, place) => (fault === "unreadable-line" && place === 0 ? cut(line) : line));
    return ["\uFEFF" + columns.join(","), ...lines, stated.totalNames.join(","), row(stated.totals), ""].join(
      "\r\n",
    );
  };
  const padding = fault === "oversized" ? "\n".repeat(PADDING) : "";
  const file = Buffer.from(textOf(printed) + padding);
  // The digest covers what the wallet wrote, even if the file was changed afterwards.
  const text = fault === "bad-digest" ? `${textOf(stated)} ` : textOf(stated) + padding;
  return { file: isZipped ? gzipSync(file) : file, text: Buffer.from(text) };
}

/** Returns the digest that WeChat Pay states for a bill's text: SHA-1 as hexadecimal. */
export function digestOf(text: Uint8Array): string {
  return createHash("sha1").update(text).digest("hex");
}

function row(fields: readonly string[]): string {
  return fields.map((field) => `\`${field}`).join(",");
}

/** Returns the line without its last three fields. */
function cut(line: string): string {
  return line.split(",`").slice(0, -3).join(",`");
}
