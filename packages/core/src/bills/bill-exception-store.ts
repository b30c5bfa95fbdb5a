import type { ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";
import type { Bill } from "./bill.js";
import type { BillExceptionCount, ComparedBill } from "./compared-bill.js";
import type { BillExceptionKind } from "../orders/bill-exception-kind.js";
import type { Order, OrderKey } from "../orders/order.js";
import type { BillException, BillExceptionState, ClosingRemedy, FoundException } from "./bill-exception.js";

/** Selects the exceptions in one state. An absent member does not limit the selection. */
export interface BillExceptionFilter {
  readonly state: BillExceptionState;
  /** Selects exceptions whose order belongs to one of the apps. */
  readonly apps?: readonly string[] | undefined;
  /** The day of the bill, `YYYY-MM-DD`. */
  readonly day?: string | undefined;
  readonly payChannel?: PayChannel | undefined;
  readonly kind?: BillExceptionKind | undefined;
  /** The merchant's account at the wallet. */
  readonly accountId?: string | undefined;
  /** The id of an order, as the wallet knows it. */
  readonly outTradeNo?: string | undefined;
}

/** The numbers of an order in exceptions: `id` at the wallet, `appId` and `bizNo` in Tillkit. */
export type OrderNumbers = Pick<Order, "id" | "appId" | "bizNo">;

/** The place of an exception in a list by `gmtCreate`. */
export type BillExceptionPosition = Pick<BillException, "gmtCreate" | "id">;

/** Selects a page of exceptions. */
export interface BillExceptionQuery extends BillExceptionFilter {
  /** Selects the exceptions with the number of the order, and those that name the order. */
  readonly ofOrder?: OrderNumbers | undefined;
  /** The `next` of the previous page. Absent for the first page. */
  readonly before?: BillExceptionPosition | undefined;
  readonly limit: number;
}

/** A page of selected exceptions, the most recently found first. */
export interface BillExceptionsPage {
  readonly items: readonly BillException[];
  /**
   * The position after which the next page begins. Absent on the last page.
   *
   * A page may have fewer exceptions than `limit`, or none, and still have a `next`: an adapter may
   * examine only a limited number of exceptions per call.
   */
  readonly next?: BillExceptionPosition;
}

/** How an operator resolved an exception, and when (`at`, epoch milliseconds). */
export interface BillResolution {
  readonly operator: string;
  readonly note: string;
  readonly at: number;
  readonly remedy: ClosingRemedy;
  /** With `assign`, the order to which the payment or refund belongs. */
  readonly order?: OrderKey;
}

/** Which kinds a run looked for, and when. */
export interface RunScope {
  /** When the run began, epoch milliseconds. */
  readonly asOf: number;
  /** The current time, epoch milliseconds. */
  readonly at: number;
  /** The kinds that the run looked for. Exceptions of other kinds do not change. */
  readonly kinds: readonly BillExceptionKind[];
}

/** The OPEN exceptions of one kind, and when the oldest was found, epoch milliseconds. */
export interface OpenExceptions {
  readonly kind: BillExceptionKind;
  readonly count: number;
  readonly oldestAt: number;
}

/**
 * Stores the differences between bills and the stored orders and refunds, and which bills were
 * compared.
 *
 * Every method is atomic for each exception. A repeated run and concurrent runs over the same bill
 * therefore produce the same exceptions. Exceptions are never removed. Tested by
 * `billExceptionStoreContract`. The only failure is a {@link StorageFailure}.
 */
export interface BillExceptionStore {
  /**
   * Stores the findings of a run and returns the exceptions as they are then, in any order.
   *
   * The state after the call:
   *
   * - A new `id` is OPEN.
   * - HEALED and GONE become OPEN.
   * - LISTED stays LISTED.
   * - RESOLVED stays RESOLVED if both amounts are unchanged. Otherwise it becomes OPEN.
   *
   * An exception that becomes OPEN gets a new `openedAt`. An assigned order stays, unless the run
   * found another order.
   *
   * An exception that a run with a later `asOf` has reported does not change.
   *
   * @param found - Contains no `id` twice.
   */
  report(found: readonly FoundException[]): ResultAsync<readonly BillException[], StorageFailure>;
  /**
   * Marks exceptions as LISTED, because a bill of another day contains the payment or refund.
   *
   * OPEN, GONE and new exceptions become LISTED, and their `day` becomes the day of that bill.
   * HEALED and RESOLVED exceptions stay. The order of this call and `report` does not matter.
   *
   * @param listed - Exceptions of the kinds PAYMENT_NOT_THERE, REFUND_NOT_THERE and
   *   MOVEMENT_MISSING.
   */
  markListed(listed: readonly FoundException[]): ResultAsync<void, StorageFailure>;
  /** Marks the OPEN exceptions among `ids` as HEALED, and returns how many it marked. */
  markHealed(ids: readonly string[], at: number): ResultAsync<number, StorageFailure>;
  /**
   * Marks up to `limit` OPEN exceptions of the bill as GONE if no current run has found them.
   *
   * Changes only exceptions of the kinds that the run looked for. A run is current if its `asOf` is
   * `seen.asOf` or later. An exception that a current run finds during the call stays OPEN or
   * becomes OPEN again.
   *
   * @returns how many exceptions it marked: 0 if there is none left.
   */
  closeUnseen(bill: Bill, seen: RunScope, limit: number): ResultAsync<number, StorageFailure>;
  /**
   * Marks an OPEN exception as RESOLVED, and appends `audit` to the audit log in the same step.
   *
   * With `resolution.order`, the exception has this order afterwards.
   *
   * @returns the exception and whether this call changed it. Of concurrent calls, one changes it.
   *   `undefined` if there is no exception with this id.
   */
  resolve(
    id: string,
    resolution: BillResolution,
    audit?: AuditEntry,
  ): ResultAsync<{ readonly moved: boolean; readonly exception: BillException } | undefined, StorageFailure>;
  /** Returns the exception with this id. */
  find(id: string): ResultAsync<BillException | undefined, StorageFailure>;
  /**
   * Returns a page of the selected exceptions, the most recently found first.
   *
   * Sorted by `gmtCreate` and then by `id`, both descending. On one server, the cost does not grow
   * with the number of stored exceptions.
   */
  list(query: BillExceptionQuery): ResultAsync<BillExceptionsPage, StorageFailure>;
  /**
   * Counts the selected exceptions, up to `atMost`.
   *
   * Examines at most as many exceptions as `list` does for one page. `isLeast` is true if more than
   * `count` exceptions may match.
   */
  count(
    filter: BillExceptionFilter,
    atMost: number,
  ): ResultAsync<{ readonly count: number; readonly isLeast: boolean }, StorageFailure>;
  /**
   * Counts the OPEN exceptions by kind, and returns when the oldest of each kind was found.
   *
   * Counts the oldest `atMost` of all kinds together, which keeps the cost independent of the size
   * of the table. A kind without an exception is absent.
   */
  openByKind(atMost: number): ResultAsync<readonly OpenExceptions[], StorageFailure>;
  /**
   * Stores that a run compared a bill, or replaces the result of an earlier run.
   *
   * Changes nothing if the stored run has a later `asOf`.
   */
  recordCompared(compared: ComparedBill): ResultAsync<void, StorageFailure>;
  /**
   * Returns the compared bills of a range of days, including both.
   *
   * Sorted by day, channel, environment and account. There is at most one per merchant and day, so
   * the caller limits the range.
   */
  listCompared(from: string, until: string): ResultAsync<readonly ComparedBill[], StorageFailure>;
  /**
   * Counts the OPEN and the RESOLVED exceptions of each bill in a range of days, including both.
   *
   * Sorted like `listCompared`. Omits bills without such an exception. Reads only these exceptions
   * of the range, by an index.
   */
  countByBill(from: string, until: string): ResultAsync<readonly BillExceptionCount[], StorageFailure>;
}
