import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Order } from "../orders/order.js";
import type { Ports } from "../ports.js";
import { isId } from "../shared/random.js";
import type { BillEntry, StatedLine } from "../wallets/wallet-bill.js";
import type { BillRun } from "./compare-bill.js";
import type { KeptBillLine } from "./kept-bill-store.js";

/**
 * Adds the readable lines among `entries` to the lines that a run keeps for the accounting reports.
 *
 * A line belongs to the app of the order with its number. The order must belong to the account of
 * the bill, so that a line reveals no order of another account.
 *
 * @param before - The number of readable lines that the run has already read.
 */
export function keepLines(
  ports: Pick<Ports, "keptBills" | "orders">,
  { runId, scope }: Pick<BillRun, "runId" | "scope">,
  entries: readonly BillEntry[],
  before: number,
): ResultAsync<void, StorageFailure> {
  const lines = entries.flatMap((entry) => (entry.kind === "unreadable" ? [] : [entry]));
  const ids = [...new Set(lines.map(({ outTradeNo }) => outTradeNo).filter(isId))];
  return ports.orders.findByIds(ids).andThen((candidates) => {
    const orders = new Map(
      candidates.filter(({ payToolId }) => scope.payToolIds.has(payToolId)).map((order) => [order.id, order]),
    );
    const rows = lines.map((line, index) => keptLine(line, before + index + 1, orders.get(line.outTradeNo)));
    return ports.keptBills.add(runId, rows);
  });
}

function keptLine(
  { settlement, ...line }: StatedLine,
  position: number,
  order: Order | undefined,
): KeptBillLine {
  const { no: settlementNo, received, fee } = settlement ?? {};
  return {
    ...line,
    position,
    ...(order === undefined ? {} : { appId: order.appId, bizNo: order.bizNo }),
    ...(settlementNo === undefined || settlementNo === "" ? {} : { settlementNo }),
    ...(received === undefined ? {} : { received }),
    ...(fee === undefined ? {} : { fee }),
  };
}
