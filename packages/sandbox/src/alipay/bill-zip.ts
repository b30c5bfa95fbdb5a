import type { BillForm, WrittenBill } from "../bills/bill-archive.js";
import { yuanText } from "@tillkit/core";
import { chinaTime } from "../shared/china-time.js";
import { gbkBytes } from "../shared/gbk.js";
import { zipBytes } from "../shared/zip.js";

const DAY = 86_400_000;
/** Bytes of empty lines that make a bill too large. In the archive they compress to few bytes. */
const PADDING = 4 * 1024 * 1024;

/** The merchant, the day and the kind of a bill. */
export interface BillZipSubject {
  readonly sellerId: string;
  readonly day: string;
  /** The name of the bill in the titles of its files: 业务 (trades) or 账务 (fund flow). */
  readonly name: "业务" | "账务";
}

/** The contents of the two files of a bill: the lines with their footer, and the sums. */
export interface BillZipFiles {
  readonly columns: string;
  readonly lines: readonly string[];
  readonly closing: readonly string[];
  readonly sumColumns: string;
  readonly sums: string;
}

/**
 * Writes a bill of Alipay: an archive of two GBK files.
 *
 * One file has the lines, the other one has the sums. Tabs pad the fields.
 */
export function writeBillZip(
  { sellerId, day, name }: BillZipSubject,
  { columns, lines, closing, sumColumns, sums }: BillZipFiles,
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
  const faulty = lines.map((line, place) => (fault === "unreadable-line" && place === 0 ? cut(line) : line));
  const detail = [
    ...head("明细"),
    columns,
    ...faulty,
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

/** Formats cents as yuan, with a minus sign if negative. */
export function signed(cents: number): string {
  return cents < 0 ? `-${yuanText(-cents)}` : yuanText(cents);
}

/** Returns the line without its last four fields. */
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
