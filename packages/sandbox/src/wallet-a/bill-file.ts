import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { BillForm, WrittenBill } from "../bills/shelf.js";

/** Empty lines that make a bill too long, in bytes; as gzip they are few. */
const PADDING = 4 * 1024 * 1024;

/** A table of WALLET_A before it is written: the names of its columns, its rows, and its totals. */
export interface BillTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly totalNames: readonly string[];
  readonly totals: readonly string[];
}

/**
 * Writes a bill of WALLET_A: UTF-8 with a byte order mark, a back-tick before every field, the totals at the end. `printed` is what its lines state, `stated` what the
 * digest and the totals are of.
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
  // The digest is of what the wallet wrote, also where the file was changed after that.
  const text = fault === "bad-digest" ? `${textOf(stated)} ` : textOf(stated) + padding;
  return { file: isZipped ? gzipSync(file) : file, text: Buffer.from(text) };
}

/** The digest of a bill's text, as WALLET_A states it. */
export function digestOf(text: Uint8Array): string {
  return createHash("sha1").update(text).digest("hex");
}

function row(fields: readonly string[]): string {
  return fields.map((field) => `\`${field}`).join(",");
}

/** The line without its last fields. */
function cut(line: string): string {
  return line.split(",`").slice(0, -3).join(",`");
}
