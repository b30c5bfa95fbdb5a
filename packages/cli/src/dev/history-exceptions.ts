import type { ImportedOrder } from "@tillkit/core";
import type { FoundException } from "@tillkit/core/ports";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

/** The merchant whose bills have the differences. */
export type BilledAccount = Pick<FoundException, "payChannel" | "appEnv" | "accountId">;

/** Returns up to 12 differences between the bills of `account` and `orders`, found by `now`. */
export function historyExceptions(
  orders: readonly ImportedOrder[],
  account: BilledAccount,
  now: number,
): readonly FoundException[] {
  const kinds = ["PAYMENT_AMOUNT", "PAYMENT_NOT_THERE", "PAYMENT_NOT_HERE", "FEE_AMOUNT"] as const;
  return orders
    .filter(({ payChannel }, nth) => payChannel === account.payChannel && nth % 19 === 3)
    .slice(0, 12)
    .map((order, nth): FoundException => {
      const kind = kinds[nth % kinds.length] ?? kinds[0];
      const at = Math.min(order.gmtCreate + DAY, now);
      const isUnknown = kind === "PAYMENT_NOT_HERE";
      return {
        ...account,
        id: `history-${String(nth)}`,
        kind,
        asOf: at,
        at,
        day: new Date(order.gmtCreate + 8 * HOUR).toISOString().slice(0, 10),
        outTradeNo: isUnknown ? `UNKNOWN${String(nth)}` : order.id,
        ...(kind === "PAYMENT_NOT_THERE" ? {} : { amountThere: order.amount + (isUnknown ? 0 : 100) }),
        ...(isUnknown
          ? {}
          : {
              amountHere: order.amount,
              statusHere: "PAID",
              order: { appId: order.appId, bizNo: order.bizNo },
            }),
        ...(isUnknown || order.walletTradeNo === undefined ? {} : { walletTradeNo: order.walletTradeNo }),
      };
    });
}
