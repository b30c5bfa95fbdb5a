import type { StatedLine } from "@tillkit/core/ports";
import type { ParseState } from "@tillkit/wallet-kit";
import type { BillAccumulator } from "./bill-accumulator.js";
import { type BillSubject, fileParser } from "./bill-head.js";
import { detailTable } from "./detail-table.js";
import { summaryTable } from "./summary-table.js";

/** Reads one file of a trade bill, details or summary, into the running totals. */
export function billParser(of: BillSubject, accumulator: BillAccumulator): ParseState<StatedLine> {
  return fileParser(
    of,
    new Map([
      ["#支付宝业务明细查询", detailTable(accumulator)],
      ["#支付宝业务汇总查询", summaryTable(accumulator)],
    ]),
  );
}
