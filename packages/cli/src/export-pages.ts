import type { Refund, Stores } from "@tillkit/core";
import { okAsync, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";
import { billLineReader, type BillReportLine, refundOrigin } from "@tillkit/core/operators";
import type { RefundPosition } from "@tillkit/core/ports";
import type { NextPage } from "./export-file.js";

const PAGE = 500;

/** Returns the line of a refund without a line end: JSON with its members in a fixed order. */
export function refundLine(refund: Refund): string {
  const { appId, bizNo, refundNo, amount, status, reason, operator, walletRefundNo } = refund;
  const { gmtCreate, gmtModified } = refund;
  const origin = refundOrigin(refund);
  const facts = { appId, bizNo, refundNo, amount, status, origin, reason, operator, walletRefundNo };
  return JSON.stringify({ ...facts, gmtCreate, gmtModified });
}

/** Returns the pages of the refunds of a filter, newest first. */
export function refundPages(
  refunds: Stores["refunds"],
  filter: Pick<Parameters<Stores["refunds"]["search"]>[0], "apps" | "from" | "until">,
): NextPage<Refund> {
  // A page may be empty and still have a next one.
  const read = (before: RefundPosition | undefined): ResultAsync<readonly Refund[], StorageFailure> =>
    refunds
      .search({ ...filter, before, limit: PAGE })
      .andThen(({ items, next }) => (items.length > 0 || next === undefined ? okAsync(items) : read(next)));
  return read;
}

/** Returns the pages of the kept lines of bills, by day, account and place in the bill. */
export function settlementPages(
  keptBills: Stores["keptBills"],
  {
    appId,
    from = "0001-01-01",
    until = "9999-12-31",
  }: Readonly<Partial<Record<"appId" | "from" | "until", string | undefined>>>,
): NextPage<BillReportLine> {
  let nextLines: ReturnType<typeof billLineReader> | undefined;
  return () => {
    if (nextLines !== undefined) return nextLines();
    return keptBills.list(from, until).andThen((bills) => {
      const read = billLineReader({ keptBills }, bills, (_, of) => appId === undefined || of === appId);
      nextLines = read;
      return read();
    });
  };
}
