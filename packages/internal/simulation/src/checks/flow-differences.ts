import type { FlowLine, StatedLine } from "@tillkit/core/ports";
import type { GeneratedBill } from "../bill-generator.js";

/** The sums of one settlement in one of the two bills, in cents. */
interface Side {
  lines: number;
  received: number;
  fee: number;
}

interface Both {
  readonly stated: Side;
  readonly moved: Side;
  open: number;
  outTradeNo: string;
  refundNo: string;
}

/**
 * Returns the differences between a fund-flow bill and its trade bill, as texts.
 *
 * Computed independently of the code under test.
 */
export function flowDifferences({ lines, flow }: GeneratedBill): readonly string[] {
  const settlements = new Map<string, Both>();
  const of = (no: string): Both => {
    const known = settlements.get(no);
    if (known !== undefined) return known;
    const none = () => ({ lines: 0, received: 0, fee: 0 });
    const made = { stated: none(), moved: none(), open: 0, outTradeNo: "", refundNo: "" };
    settlements.set(no, made);
    return made;
  };
  for (const line of lines) state(line, of);
  for (const movement of flow) move(movement, of);
  const hasFees = flow.some(({ kind }) => kind === "fee");
  const found: string[] = [];
  const missing: string[] = [];
  for (const { stated, moved, open, outTradeNo, refundNo } of settlements.values()) {
    if (stated.lines === 0 || stated.received - stated.fee === moved.received - moved.fee) continue;
    const name = `${outTradeNo} ${stated.lines > 1 ? "" : refundNo}`;
    if (moved.lines > 0 && stated.received !== moved.received) found.push(`MOVEMENT_AMOUNT ${name}`);
    else if (moved.lines > 0 && hasFees) found.push(`FEE_AMOUNT ${name}`);
    else if (moved.lines === 0 && open === 0) missing.push(`MOVEMENT_MISSING ${name}`);
  }
  // If the bill has no movements, several missing ones are reported as one, without numbers.
  const isIdle = flow.length === 0 && missing.length > 1;
  return [...found, ...(isIdle ? ["MOVEMENT_MISSING  "] : missing)];
}

function state(
  { settlement, state: at, outTradeNo, refundNo = "" }: StatedLine,
  of: (no: string) => Both,
): void {
  if (settlement === undefined) return;
  const both = of(settlement.no);
  both.stated.lines += 1;
  both.stated.received += settlement.received;
  both.stated.fee += settlement.fee;
  both.open += at === "OPEN" ? 1 : 0;
  both.outTradeNo = outTradeNo;
  both.refundNo = refundNo;
}

function move({ settlementNo = "", kind, amount }: FlowLine, of: (no: string) => Both): void {
  const { moved } = of(settlementNo);
  moved.lines += 1;
  if (kind === "fee") moved.fee -= amount;
  else moved.received += amount;
}
