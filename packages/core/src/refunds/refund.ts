import type { Order, OrderKey } from "../orders/order.js";
import type { RefundStatus } from "../orders/refund-status.js";
import { isRefundNo } from "./refund-number.js";

/** Statuses of an open refund: its amount is reserved, and the reconciler continues it. */
export const OPEN_REFUND_STATUSES = [
  "REQUESTED",
  "SENT",
  "WAITING_FOR_FUNDS",
  "ABNORMAL",
] as const satisfies readonly RefundStatus[];
/** The status of an open refund. */
export type OpenRefundStatus = (typeof OPEN_REFUND_STATUSES)[number];

/** Returns whether the refund is open. */
export function isOpenRefund(refund: Refund): refund is OpenRefund {
  const open: readonly RefundStatus[] = OPEN_REFUND_STATUSES;
  return open.includes(refund.status);
}

/**
 * Returns whether the wallet has accepted an open refund: it is ABNORMAL or has the wallet's
 * number.
 */
export function isAcceptedRefund({ status, walletRefundNo }: Refund): boolean {
  return status === "ABNORMAL" || walletRefundNo !== undefined;
}

/**
 * Where a refund was made: by Tillkit, or without Tillkit at the wallet, such as in its console.
 */
export type RefundOrigin = "tillkit" | "console";

/**
 * A refund of a part or of the whole of an order.
 *
 * Tillkit stores a refund before it calls the wallet. A refund that was made in the wallet's
 * console is stored when the wallet confirms it.
 */
export interface Refund extends OrderKey {
  /**
   * The caller's number of the refund, unique within the order.
   *
   * A retry with the same number continues this refund. A refund that was not made by Tillkit has
   * the number of {@link adoptedRefundNo}.
   */
  readonly refundNo: string;
  /** Cents. */
  readonly amount: number;
  readonly reason: string;
  readonly operator: string;
  readonly status: RefundStatus;
  /**
   * The wallet's own number of the refund. If it is present, the wallet has accepted the refund.
   *
   * Absent at Alipay, which assigns none.
   */
  readonly walletRefundNo?: string;
  /**
   * When the reconciler continues the refund, epoch milliseconds. Absent once the refund has ended.
   */
  readonly nextTryAt?: number;
  /**
   * Until when a call that sends or pays out the refund may run, epoch milliseconds.
   *
   * The refund is not sent again before this time. Each send sets it to at least
   * `policy.refundSendPause` from now.
   *
   * Absent if the refund was never sent.
   */
  readonly sendingUntil?: number;
  readonly gmtCreate: number;
  /** When the refund entered its current status, epoch milliseconds. */
  readonly gmtModified: number;
}

/** A refund that has not ended. */
export type OpenRefund = Refund & { readonly status: OpenRefundStatus };

/**
 * Prefix of the number of a refund that was not made by Tillkit. No caller can choose this prefix.
 */
const CONSOLE = "console:";

/**
 * Returns where the refund was made.
 *
 * @returns `console` if the refund was made at the wallet without Tillkit.
 * @example
 * ```ts
 * import { refundOrigin } from "@tillkit/core/operators";
 *
 * console.log(refundOrigin({ refundNo: "console:5012345" })); // console
 * ```
 */
export function refundOrigin({ refundNo }: Pick<Refund, "refundNo">): RefundOrigin {
  return refundNo.startsWith(CONSOLE) ? "console" : "tillkit";
}

/**
 * Returns the `refundNo` of a refund that was not made by Tillkit.
 *
 * @returns the number of the wallet with a prefix that no caller can choose.
 * @example
 * ```ts
 * import { consoleRefundNo } from "@tillkit/core/ports";
 *
 * console.log(consoleRefundNo("5012345")); // console:5012345
 * ```
 */
export function consoleRefundNo(walletNumber: string): string {
  return CONSOLE + walletNumber;
}

/**
 * Returns the `refundNo` under which a refund that is found at the wallet is stored.
 *
 * A number of {@link outRefundNo} belongs to a refund of Tillkit that storage has lost, for example
 * because the database was restored. That refund gets its own number back, so that a repetition of
 * its request finds it. Any other number belongs to a refund that was not made by Tillkit.
 *
 * @param walletNumber - the refund's number at the wallet.
 * @returns the caller's number, or the wallet's number with the prefix for console refunds.
 * @example
 * ```ts
 * import { adoptedRefundNo } from "@tillkit/core/operators";
 *
 * console.log(adoptedRefundNo({ id: "ord_1" }, "5012345")); // console:5012345
 * ```
 */
export function adoptedRefundNo({ id }: Pick<Order, "id">, walletNumber: string): string {
  const own = walletNumber.startsWith(`${id}-`) ? walletNumber.slice(id.length + 1) : "";
  return isRefundNo(own) ? own : consoleRefundNo(walletNumber);
}

/**
 * Returns the refund's number at the wallet (`out_refund_no`, `out_request_no`).
 *
 * Every retry uses the same number, so the money moves at most once. WeChat Pay requires numbers
 * that are unique for the whole merchant, so the order's id precedes the caller's number. An id
 * that Tillkit generates is unique and contains no `-`. For a refund that was not made by Tillkit,
 * the result is the wallet's own number, without the order's id.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/refund-numbers.md |
 *   The caller chooses the number of a refund}
 */
export function outRefundNo({ id }: Pick<Order, "id">, { refundNo }: Pick<Refund, "refundNo">): string {
  return refundNo.startsWith(CONSOLE) ? refundNo.slice(CONSOLE.length) : `${id}-${refundNo}`;
}

/**
 * Returns the stored refund that has this number at the wallet.
 *
 * Two stored refunds can have the number: one that is not CONFIRMED, and the refund that the wallet
 * made under this number and that was adopted. Then the CONFIRMED one is returned.
 */
export function refundWithNumber(
  order: Pick<Order, "id">,
  refunds: readonly Refund[],
  walletNumber: string,
): Refund | undefined {
  const same = refunds.filter((one) => outRefundNo(order, one) === walletNumber);
  return same.find(({ status }) => status === "CONFIRMED") ?? same[0];
}
