import type { FoundException, ImportedOrder } from "@tillkit/core";
import { demoRandom } from "./demo-random.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAYS = 45;
const ORDERS = 3_000;

const GOODS = [
  ["One month", 600],
  ["Three months", 1_500],
  ["One year", 4_800],
  ["会员年卡", 9_900],
  ["1,000 coins", 1_000],
  ["Storage, 50 GB", 300],
] as const;

/** Orders and differences of a shop that has been open for some weeks. */
export interface ShopHistory {
  readonly orders: readonly ImportedOrder[];
  /** The `bizNo` of the orders with an alarm, with its reason. */
  readonly alarms: ReadonlyMap<string, string>;
  readonly exceptions: readonly FoundException[];
}

/**
 * Returns some thousand orders in every state, until two hours before `now`.
 *
 * Depends only on the arguments.
 *
 * @param account - the merchant whose bills have the differences.
 */
export function shopHistory(
  appId: string,
  now: number,
  account: Pick<FoundException, "payChannel" | "appEnv" | "accountId">,
): ShopHistory {
  const random = demoRandom("history");
  const start = now - DAYS * DAY;
  const times = Array.from({ length: ORDERS }, () => busyTime(start, now - 2 * HOUR, random)).sort(
    (left, right) => left - right,
  );
  const orders = times.map((gmtCreate, nth): ImportedOrder => {
    const [goodsTitle, amount] = GOODS[Math.floor(random() * GOODS.length)] ?? GOODS[0];
    const chance = random();
    const number = String(nth).padStart(6, "0");
    const pmtDt = gmtCreate + Math.floor(20_000 + random() * 3 * MINUTE);
    const common = {
      ...{ appId, bizNo: `H-${number}`, id: `HISTORY${number}`, goodsTitle, amount, gmtCreate },
      customerIdentity: `customer-${String(1 + Math.floor(random() ** 2 * 900))}`,
      payChannel: random() < 0.62 ? ("WALLET_B" as const) : ("WALLET_A" as const),
      paySource: "APP" as const,
      attachData: JSON.stringify({ campaign: nth % 7 === 0 ? "spring" : "none" }),
      refundedAmount: 0,
    };
    if (chance < 0.12) return { ...common, paymentStatus: "CLOSE", gmtModified: gmtCreate + 2 * HOUR };
    const paid = { ...common, pmtDt, walletTradeNo: `42${number.padStart(26, "0")}`, gmtModified: pmtDt };
    if (chance < 0.15) return { ...paid, paymentStatus: "REFUND", refundedAmount: amount };
    const refundedAmount = chance < 0.17 ? Math.floor(amount / 2) : 0;
    return { ...paid, paymentStatus: "PAID", refundedAmount };
  });
  const paidOrders = orders.filter(({ paymentStatus }) => paymentStatus === "PAID");
  const latest = paidOrders.slice(-400);
  const alarms = new Map(
    latest
      .filter((_, nth) => nth % 57 === 5)
      .map(({ bizNo, amount }) => [bizNo, `the wallet reports ${String(amount + 100)} cents`]),
  );
  return { orders, alarms, exceptions: exceptionsOf(latest, account) };
}

/** Returns a time within the range, more often in the evening in China than at night. */
function busyTime(from: number, until: number, random: () => number): number {
  for (;;) {
    const at = Math.floor(from + random() * (until - from));
    const hour = (Math.floor(at / HOUR) + 8) % 24;
    const weight = hour < 7 ? 0.1 : hour < 18 ? 0.55 : 1;
    if (random() < weight) return at;
  }
}

function exceptionsOf(
  orders: readonly ImportedOrder[],
  account: Pick<FoundException, "payChannel" | "appEnv" | "accountId">,
): readonly FoundException[] {
  const kinds = ["PAYMENT_AMOUNT", "PAYMENT_NOT_THERE", "PAYMENT_NOT_HERE", "FEE_AMOUNT"] as const;
  return orders
    .filter(({ payChannel }, nth) => payChannel === account.payChannel && nth % 19 === 3)
    .slice(0, 12)
    .map((order, nth): FoundException => {
      const kind = kinds[nth % kinds.length] ?? kinds[0];
      const at = order.gmtCreate + DAY;
      const isUnknown = kind === "PAYMENT_NOT_HERE";
      return {
        ...account,
        ...{ id: `history-${String(nth)}`, kind, asOf: at, at },
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
