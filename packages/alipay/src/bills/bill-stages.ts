import type { StatedLine } from "@tillkit/core";
import type { Stage } from "@tillkit/wallet-kit";
import type { BillBook } from "./bill-book.js";
import { type BillOf, fileStages } from "./bill-head.js";
import { detailTable } from "./detail-table.js";
import { summaryTable } from "./summary-table.js";

/** Reads one file of a trade bill, details or summary, into the running totals. */
export function billStages(of: BillOf, book: BillBook): Stage<StatedLine> {
  return fileStages(
    of,
    new Map([
      ["#支付宝业务明细查询", detailTable(book)],
      ["#支付宝业务汇总查询", summaryTable(book)],
    ]),
  );
}
