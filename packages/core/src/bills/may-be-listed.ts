import type { BillLineKey } from "./bill-line-store.js";
import type { UnreadableLine } from "../wallets/wallet-bill.js";

/** Says whether an unreadable line of the bill can be the line with this key. */
export type MayBeListed = (key: BillLineKey) => boolean;

/**
 * Makes the rule from the unreadable lines of a bill: what was read of a line must agree with the
 * key. A line without any number agrees with no key, because it would hide every missing payment.
 */
export function mayBeListed(lines: readonly UnreadableLine[]): MayBeListed {
  const possible = new Set(lines.flatMap(possibleLines));
  return ({ kind, outTradeNo, refundNo = "" }) =>
    kind === "payment"
      ? possible.has(lineText(kind, outTradeNo, ""))
      : possible.has(lineText(kind, outTradeNo, "")) ||
        (refundNo !== "" &&
          (possible.has(lineText(kind, outTradeNo, refundNo)) || possible.has(lineText(kind, "", refundNo))));
}

/** What a line can be. An empty number stands for any, and a number of a refund is unique by itself. */
function possibleLines({ lineKind, outTradeNo = "", refundNo = "" }: UnreadableLine): readonly string[] {
  const payment = outTradeNo === "" ? [] : [lineText("payment", outTradeNo, "")];
  const isNumbered = outTradeNo !== "" || refundNo !== "";
  const refund = isNumbered ? [lineText("refund", outTradeNo, refundNo)] : [];
  if (lineKind === "payment") return payment;
  // Only a refund has a number of a refund.
  return lineKind === "refund" || refundNo !== "" ? refund : [...payment, ...refund];
}

function lineText(kind: BillLineKey["kind"], outTradeNo: string, refundNo: string): string {
  return JSON.stringify([kind, outTradeNo, refundNo]);
}
