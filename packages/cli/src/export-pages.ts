import {
  type KeptBill,
  type KeptBillLine,
  type Refund,
  refundOrigin,
  type RefundPosition,
  type Stores,
} from "@tillkit/core";
import { okAsync, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "@tillkit/core/errors";
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

/** A line of a bill, with the bill. Amounts are cents. */
type Settlement = Omit<KeptBillLine, "position"> &
  Pick<KeptBill, "day" | "payChannel" | "appEnv" | "accountId">;

/** Returns the pages of the kept lines of bills, by day, account and place in the bill. */
export function settlementPages(
  keptBills: Stores["keptBills"],
  {
    appId,
    from = "0001-01-01",
    until = "9999-12-31",
  }: Readonly<Partial<Record<"appId" | "from" | "until", string | undefined>>>,
): NextPage<Settlement> {
  let bills: readonly KeptBill[] | undefined;
  let [place, last] = [0, 0];
  const read = (): ResultAsync<readonly Settlement[], StorageFailure> => {
    if (bills === undefined)
      return keptBills.list(from, until).andThen((listed) => {
        bills = listed;
        return read();
      });
    const bill = bills[place];
    if (bill === undefined) return okAsync([]);
    return keptBills.page(bill.runId, last, PAGE).andThen((lines) => {
      last = lines.at(-1)?.position ?? last;
      if (lines.length < PAGE) [place, last] = [place + 1, 0];
      const ours = lines.filter((line) => appId === undefined || line.appId === appId);
      return ours.length > 0 ? okAsync(ours.map((line) => settlementOf(bill, line))) : read();
    });
  };
  return read;
}

function settlementOf(
  { day, payChannel, appEnv, accountId }: KeptBill,
  { position: _, ...line }: KeptBillLine,
) {
  const { received, fee } = line;
  const net = received === undefined || fee === undefined ? {} : { net: received - fee };
  return { day, payChannel, appEnv, accountId, ...line, ...net };
}
