import type { BillForm, WrittenBill } from "../bills/shelf.js";
import { yuanText } from "@tillkit/core";
import { chinaTime } from "../shared/china-time.js";
import { gbkBytes } from "../shared/gbk.js";
import { zipBytes } from "../shared/zip.js";

const DAY = 86_400_000;
/** Empty lines that make a bill too long, in bytes; in an archive they are few. */
const PADDING = 4 * 1024 * 1024;

/** Whose bill is written, and of which day. */
export interface ArchiveOf {
  readonly sellerId: string;
  readonly day: string;
  /** What the titles of the files call the bill: 业务 or 账务. */
  readonly name: "业务" | "账务";
}

/** The two files of a bill: the lines with what closes them, and their sums. */
export interface ArchiveFiles {
  readonly columns: string;
  readonly lines: readonly string[];
  readonly closing: readonly string[];
  readonly sumColumns: string;
  readonly sums: string;
}

/** Writes a bill of WALLET_B: an archive of two GBK files, one with the lines and one with their sums, fields padded with tabs. */
export function writeArchive(
  { sellerId, day, name }: ArchiveOf,
  { columns, lines, closing, sumColumns, sums }: ArchiveFiles,
  { madeAt, fault }: BillForm,
): Pick<WrittenBill, "file" | "text"> {
  const account = `${sellerId}0156`;
  const from = Date.parse(`${day}T00:00:00+08:00`);
  const head = (what: string) => [
    `#支付宝${name}${what}查询`,
    `#账号：[${account}]`,
    `#起始日期：[${longTime(from)}]   终止日期：[${longTime(from + DAY)}]`,
    `#${dashes(41)}${name}${what}列表${dashes(40)}`,
  ];
  const written = `#导出时间：[${longTime(madeAt)}]`;
  const spoilt = lines.map((line, place) => (fault === "unreadable-line" && place === 0 ? cut(line) : line));
  const detail = [
    ...head("明细"),
    columns,
    ...spoilt,
    `#${dashes(41)}${name}明细列表结束${dashes(36)}`,
    ...closing,
    written,
    "",
  ];
  const total = [
    ...head("汇总"),
    sumColumns,
    sums,
    `#${dashes(40)}${name}汇总列表结束${dashes(37)}`,
    written,
    "",
  ];
  const padding = Buffer.alloc(fault === "oversized" ? PADDING : 0, "\n");
  const file = `${account}_${day.replaceAll("-", "")}_${name}明细`;
  const files = [
    {
      name: gbkBytes(`${file}.csv`),
      bytes: Buffer.concat([gbkBytes(detail.join("\r\n")), padding]),
    },
    { name: gbkBytes(`${file}(汇总).csv`), bytes: gbkBytes(total.join("\r\n")) },
  ];
  return { file: zipBytes(files, fault === "bad-digest"), text: new Uint8Array() };
}

/** A yuan text with a sign where money goes back. */
export function signed(cents: number): string {
  return cents < 0 ? `-${yuanText(-cents)}` : yuanText(cents);
}

/** The line without its last fields. */
function cut(line: string): string {
  return line.split(",").slice(0, -4).join(",");
}

function longTime(instant: number): string {
  const [day = "", time = ""] = chinaTime(instant).split(" ");
  const [year, month, date] = day.split("-");
  return `${year}年${month}月${date}日 ${time}`;
}

function dashes(count: number): string {
  return "-".repeat(count);
}
