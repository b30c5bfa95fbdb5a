import type { WalletAccount } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import type { WalletShipments } from "../wallets/wallet.js";
import type { Order } from "./order.js";
import { readEvent } from "./read-event.js";
import type { TimelineEvent } from "./timeline.js";

/**
 * The state of the report that the customer has got the goods.
 *
 * - `waiting`: Tillkit reports the shipment at `nextTryAt`.
 * - `retrying`: Tillkit reports again at `nextTryAt`, after a failure that raised an alarm.
 * - `reported`: the wallet has the report.
 * - `failed`: the wallet refused the report. A person must act.
 * - `ended`: the report was not needed any more.
 */
export const SHIPMENT_STATES = ["waiting", "retrying", "reported", "failed", "ended"] as const;

/** The state of the report of an order, for operators. */
export interface Shipment {
  readonly state: (typeof SHIPMENT_STATES)[number];
  /** When Tillkit reports next, epoch milliseconds. Only present for `waiting` and `retrying`. */
  readonly nextTryAt?: number;
}

/** The last time that a report became due, and its result. */
export interface ShipmentRound {
  /** The `seq` of the event after which the report became due. */
  readonly seq: number;
  /** When the report became due, epoch milliseconds. */
  readonly since: number;
  readonly end?: "reported" | "failed" | "ended";
  /** Whether an alarm about the report was raised. */
  readonly hasAlarm: boolean;
}

/** The events that make a report due: the payment, and an operator's request. */
const BEGINNINGS: ReadonlySet<string> = new Set(["PAID", "LATE_PAYMENT", "SHIPMENT_REQUESTED"]);

/** Delay from the payment to the first report. The wallet may not know the payment at once. */
const FIRST_AFTER_MS = 10_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** Returns the adapter's part that reports shipments. `undefined` if the order is not reported. */
export function shipmentsOf(
  { wallets }: Pick<Ports, "wallets">,
  order: Pick<Order, "payChannel" | "paySource" | "payerId">,
  account: WalletAccount,
): WalletShipments | undefined {
  const { shipments } = wallets[order.payChannel];
  const isReported = order.payerId !== undefined && shipments?.isReported(account, order.paySource);
  return isReported === true ? shipments : undefined;
}

/** Returns when the first report is due. `undefined` if the order is not reported. */
export function firstShipmentAt(
  ports: Pick<Ports, "wallets">,
  order: Order,
  account: WalletAccount,
  now: number,
): number | undefined {
  return shipmentsOf(ports, order, account) === undefined ? undefined : now + FIRST_AFTER_MS;
}

/**
 * Returns when a failed report is repeated.
 *
 * The pause is the age of the round, but at least 10 seconds and at most an hour. So each pause is
 * about as long as all earlier pauses together. The number of attempts need not be stored.
 */
export function nextShipmentAt({ since }: Pick<ShipmentRound, "since">, now: number): number {
  return now + Math.min(Math.max(now - since, FIRST_AFTER_MS), LONGEST_PAUSE_MS);
}

/** Returns the last round of reports. `undefined` if no event made a report due. */
export function lastShipmentRound(timeline: readonly TimelineEvent[]): ShipmentRound | undefined {
  const beginning = timeline.findLast(({ type }) => BEGINNINGS.has(type));
  if (beginning === undefined) return undefined;
  const later = timeline.filter(({ seq }) => seq > beginning.seq);
  const ends = later.flatMap((event) => endOf(event) ?? []);
  const hasAlarm = later.some(({ type }) => type === "SHIPMENT_REFUSED" || type === "SHIPMENT_OVERDUE");
  const [end] = ends;
  return { seq: beginning.seq, since: beginning.at, hasAlarm, ...(end === undefined ? {} : { end }) };
}

function endOf(event: TimelineEvent): ShipmentRound["end"] {
  switch (event.type) {
    case "SHIPMENT_REPORTED":
      return "reported";
    case "SHIPMENT_ENDED":
      return "ended";
    case "SHIPMENT_REFUSED":
      return readEvent({ ...event, type: event.type }).details?.isRepeated === true ? undefined : "failed";
    default:
      return undefined;
  }
}

/**
 * Returns the state of the report that the customer has got the goods.
 *
 * @returns the state. `undefined` if the order is not reported to its wallet.
 * @example
 * ```ts
 * import { shipmentOf } from "@tillkit/core/operators";
 *
 * const key = { appId: "app_1", bizNo: "biz-1" };
 * const order = (await ports.orders.find(key)).unwrapOr(undefined);
 * const timeline = (await ports.orders.timeline(key)).unwrapOr([]);
 * if (order !== undefined) console.log(shipmentOf(order, timeline)?.state);
 * ```
 */
export function shipmentOf(order: Order, timeline: readonly TimelineEvent[]): Shipment | undefined {
  const round = lastShipmentRound(timeline);
  if (round?.end !== undefined) return { state: round.end };
  const { paymentStatus, nextQueryAt } = order;
  if (round === undefined || paymentStatus !== "PAID" || nextQueryAt === undefined) return undefined;
  return { state: round.hasAlarm ? "retrying" : "waiting", nextTryAt: nextQueryAt };
}
