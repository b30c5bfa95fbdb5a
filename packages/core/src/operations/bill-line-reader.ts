import { ok, type ResultAsync } from "neverthrow";
import type { Bill } from "../bills/bill.js";
import type { KeptBill, KeptBillLine } from "../bills/kept-bill-store.js";
import { fail, type StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";

/** A line of a bill in a report. Amounts are cents. */
export interface BillReportLine extends Bill, Omit<KeptBillLine, "position"> {
  /** What the account received, less the fee. Absent if the bill omits one of the two amounts. */
  readonly net?: number;
}

/** The number of lines that are in memory at once. */
const PAGE = 500;

/**
 * Creates a function that reads the next lines of kept bills.
 *
 * The lines come in the order of `bills`, and within a bill in the order of its lines. The function
 * fails with `storage.unavailable` if housekeeping has removed lines since the bills were listed.
 *
 * @param covers - returns whether the lines of an app in a bill are read. For a line whose number
 *   no order has, the app is `undefined`.
 * @returns the function. Its result is empty after the last line.
 * @example
 * ```ts
 * import { billLineReader } from "@tillkit/core/operators";
 *
 * const bills = await ports.keptBills.list("2026-10-01", "2026-10-31");
 * if (bills.isOk()) {
 *   const nextLines = billLineReader(ports, bills.value, () => true);
 *   const lines = await nextLines();
 *   if (lines.isOk()) console.log(lines.value.length);
 * }
 * ```
 */
export function billLineReader(
  ports: Pick<Ports, "keptBills">,
  bills: readonly KeptBill[],
  covers: (bill: KeptBill, appId: string | undefined) => boolean,
): () => ResultAsync<readonly BillReportLine[], StorageFailure> {
  let [place, after, count] = [0, 0, 0];
  return () =>
    attempt(async () => {
      for (;;) {
        const bill = bills[place];
        if (bill === undefined) return ok([]);
        const page = await ports.keptBills.page(bill.runId, after, PAGE);
        if (page.isErr()) return page;
        count += page.value.length;
        after = page.value.at(-1)?.position ?? after;
        if (page.value.length < PAGE) {
          if (count !== bill.lines) return linesRemoved();
          place += 1;
          [after, count] = [0, 0];
        }
        const lines = page.value.filter(({ appId }) => covers(bill, appId));
        if (lines.length > 0) return ok(lines.map((line) => lineOf(bill, line)));
      }
    });
}

/** The failure of a reader whose lines were removed meanwhile. */
export function linesRemoved() {
  return fail("storage.unavailable", {
    cause: "the lines of a bill were removed meanwhile; start the report or the export again",
  });
}

function lineOf(
  { day, payChannel, appEnv, accountId }: KeptBill,
  { position: _, ...line }: KeptBillLine,
): BillReportLine {
  const { received, fee } = line;
  const net = received === undefined || fee === undefined ? {} : { net: received - fee };
  return { day, payChannel, appEnv, accountId, ...line, ...net };
}
