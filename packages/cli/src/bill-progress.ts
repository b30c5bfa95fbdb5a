import type { BillProgress, OnBillProgress } from "@tillkit/core";
import { billName } from "./bill-answer.js";
import type { Io } from "./io.js";
import { LINE_EVERY } from "./progress.js";
import { statusLine } from "./status-line.js";
import { counted } from "./counted.js";

/**
 * Reports the progress of a reconciliation on standard error.
 *
 * Updates a line in place if `bar` is set and standard error is a terminal. Otherwise prints a line
 * every {@link LINE_EVERY} bill lines.
 */
export function billProgress(
  { stderr }: Pick<Io, "stderr">,
  { bar: wanted }: { readonly bar: boolean },
): { readonly onProgress: OnBillProgress; readonly stop: () => void } {
  const line = wanted && stderr.isTTY === true ? statusLine(stderr) : undefined;
  let before = 0;
  return {
    onProgress: (progress) => {
      const { lines } = progress;
      line?.update(textOf(progress));
      // `lines` restarts at zero for each bill and for each pass over a bill.
      if (
        line === undefined &&
        lines > before &&
        Math.floor(before / LINE_EVERY) < Math.floor(lines / LINE_EVERY)
      )
        stderr.write(`${textOf(progress)}\n`);
      before = lines;
    },
    stop: () => line?.stop(),
  };
}

const DOING: Readonly<Record<BillProgress["doing"], string>> = {
  reading: "reading",
  comparing: "comparing",
  settling: "reading the fund-flow bill",
};

function textOf({ bill, doing, lines }: BillProgress): string {
  return `${billName(bill)}: ${DOING[doing]}, ${counted(lines, "line")}`;
}
