import type { BillLineKey } from "./bill-line-store.js";
import type { UnreadableLine } from "../wallets/wallet-bill.js";

/** Returns whether an unreadable line of the bill may be the line with this key. */
export type MayMatchUnreadableLine = (key: BillLineKey) => boolean;

/**
 * Creates the check from the unreadable lines of a bill.
 *
 * The readable numbers of an unreadable line must match the key. A line without any number matches
 * no key, because it would hide every missing payment.
 */
export function mayMatchUnreadableLine(lines: readonly UnreadableLine[]): MayMatchUnreadableLine {
  const possible = new Set(lines.flatMap(possibleLines));
  return ({ kind, outTradeNo, refundNo = "" }) =>
    kind === "payment"
      ? possible.has(lineText(kind, outTradeNo, ""))
      : possible.has(lineText(kind, outTradeNo, "")) ||
        (refundNo !== "" &&
          (possible.has(lineText(kind, outTradeNo, refundNo)) || possible.has(lineText(kind, "", refundNo))));
}

/**
 * Returns the keys that a line can have. An empty number matches any number.
 *
 * A refund's number is unique without the order's number.
 */
function possibleLines({ lineKind, outTradeNo = "", refundNo = "" }: UnreadableLine): readonly string[] {
  const payment = outTradeNo === "" ? [] : [lineText("payment", outTradeNo, "")];
  const isNumbered = outTradeNo !== "" || refundNo !== "";
  const refund = isNumbered ? [lineText("refund", outTradeNo, refundNo)] : [];
  if (lineKind === "payment") return payment;
  // Only a refund has a refund number.
  return lineKind === "refund" || refundNo !== "" ? refund : [...payment, ...refund];
}

function lineText(kind: BillLineKey["kind"], outTradeNo: string, refundNo: string): string {
  return JSON.stringify([kind, outTradeNo, refundNo]);
}
