import { aKeptBill, aKeptBillLine, expectOk } from "@tillkit/contract-tests";
import type { KeptBill, KeptBillLine } from "@tillkit/core/ports";
import type { Host } from "./open-host.js";

/** Stores the trade bill of an account and a day. A line without `appId` belongs to no order. */
export async function keepBill(
  { ports: { keptBills } }: Pick<Host, "ports">,
  changes: Partial<KeptBill>,
  lines: readonly Partial<KeptBillLine>[],
): Promise<void> {
  const bill = aKeptBill({ appEnv: "PROD", lines: lines.length, ...changes });
  const kept = lines.map((line, nth): KeptBillLine => {
    const { appId: _appId, bizNo: _bizNo, ...foreign } = aKeptBillLine({ position: nth + 1, ...line });
    return line.appId === undefined ? foreign : aKeptBillLine({ position: nth + 1, ...line });
  });
  await expectOk(keptBills.begin(bill.runId, bill, bill.asOf));
  await expectOk(keptBills.add(bill.runId, kept));
  await expectOk(keptBills.keep(bill, undefined, bill.asOf + 1));
}
