import type { ImportedOrder } from "@tillkit/core";
import type { FoundException } from "@tillkit/core/ports";
import { demoRandom } from "./demo-random.js";
import { type BilledAccount, historyExceptions } from "./history-exceptions.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAY_COUNT = 45;
const ORDER_COUNT = 3_000;

const GOODS = [
  ["One month", 600],
  ["Three months", 1_500],
  ["One year", 4_800],
  ["会员年卡", 9_900],
  ["1,000 coins", 1_000],
  ["Storage, 50 GB", 300],
] as const;

/** The orders and bill differences of a shop that has been open for some weeks. */
export interface ShopHistory {
  readonly orders: readonly ImportedOrder[];
  /** The reason of each alarm, by the `bizNo` of its order. */
  readonly alarms: ReadonlyMap<string, string>;
  readonly exceptions: readonly FoundException[];
}

/**
 * Creates 3,000 orders: paid, closed and refunded ones, the newest at least two hours old.
 *
 * Equal arguments return equal orders.
 *
 * @param account - the merchant whose bills have the differences.
 */
export function shopHistory(appId: string, now: number, account: BilledAccount): ShopHistory {
  const random = demoRandom("history");
  const start = now - DAY_COUNT * DAY;
  const times = Array.from({ length: ORDER_COUNT }, () => likelyTime(start, now - 2 * HOUR, random)).sort(
    (left, right) => left - right,
  );
  const orders = times.map((gmtCreate, nth): ImportedOrder => {
    const [goodsTitle, amount] = GOODS[Math.floor(random() * GOODS.length)] ?? GOODS[0];
    const chance = random();
    const number = String(nth).padStart(6, "0");
    const pmtDt = gmtCreate + Math.floor(20_000 + random() * 3 * MINUTE);
    const common = {
      appId,
      bizNo: `H-${number}`,
      id: `HISTORY${number}`,
      goodsTitle,
      amount,
      gmtCreate,
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
  return { orders, alarms, exceptions: historyExceptions(latest, account, now) };
}

/** Returns a random time in the range. Evenings in China are the most likely, nights the least. */
function likelyTime(from: number, until: number, random: () => number): number {
  for (;;) {
    const at = Math.floor(from + random() * (until - from));
    const hour = (Math.floor(at / HOUR) + 8) % 24;
    const weight = hour < 7 ? 0.1 : hour < 18 ? 0.55 : 1;
    if (random() < weight) return at;
  }
}
