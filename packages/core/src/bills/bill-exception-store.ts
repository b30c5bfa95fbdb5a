import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { DueWork } from "../shared/due-work.js";
import type { Page } from "../shared/page.js";
import type { Bill } from "./bill.js";
import type {
  BillException,
  BillExceptionKind,
  BillExceptionState,
  FoundException,
} from "./bill-exception.js";

/** Which exceptions to list. */
export interface BillExceptionQuery {
  readonly state: BillExceptionState;
  readonly offset: number;
  readonly limit: number;
}

/** What an operator says of an exception. */
export interface BillResolution {
  readonly operator: string;
  readonly note: string;
  readonly at: number;
}

/** What a run looked for, and when. */
export interface SeenByRun {
  /** When the run began, epoch milliseconds. */
  readonly asOf: number;
  /** Now. */
  readonly at: number;
  /** The kinds that the run looked for. Exceptions of other kinds are not touched. */
  readonly kinds: readonly BillExceptionKind[];
}

/**
 * Where the differences between bills and the record are worked off. Every verb is one atomic step for each exception it is about, so that the same bill can be
 * compared twice, and by several processes at once, and comes to the same table. Proved by `billExceptionStoreContract`. Nothing is ever
 * removed. The only failure is `storage.unavailable`.
 */
export interface BillExceptionStore {
  /**
   * Writes down what a run found, each `id` once: a new one is OPEN, and one that was HEALED or GONE is OPEN again. LISTED stays. RESOLVED stays while both amounts
   * are those it was resolved with, and is OPEN again with others. What a run with a later `asOf` knows better changes not at all. Returns them as they are then,
   * in any order. `found` holds no `id` twice.
   */
  report(found: readonly FoundException[]): ResultAsync<readonly BillException[], StorageFailure>;
  /**
   * Says that a bill has what the record has on another day: the exceptions `listed`, which are of a kind NOT_THERE or MOVEMENT_MISSING, are LISTED from now on, whether they were OPEN, GONE or
   * not known yet, and their `day` is that bill's. HEALED and RESOLVED ones stay. It and `report` come to the same whichever is first.
   */
  markListed(listed: readonly FoundException[]): ResultAsync<void, StorageFailure>;
  /** OPEN → HEALED for those of `ids` that are OPEN; says how many were. */
  markHealed(ids: readonly string[], at: number): ResultAsync<number, StorageFailure>;
  /**
   * OPEN → GONE for up to `limit` exceptions of the bill, of the kinds the run looked for, that no run which began at `asOf` or later has found; returns how many.
   * One that such a run finds meanwhile stays OPEN or becomes so again. A full `limit` means that there may be more.
   */
  closeUnseen(bill: Bill, seen: SeenByRun, limit: number): ResultAsync<number, StorageFailure>;
  /** OPEN → RESOLVED. Of concurrent calls one is `moved`; otherwise it is returned as it is. `undefined` when there is none of this id. */
  resolve(
    id: string,
    resolution: BillResolution,
  ): ResultAsync<{ readonly moved: boolean; readonly exception: BillException } | undefined, StorageFailure>;
  /** The exceptions in one state, first found first, and how many there are in all. */
  list(query: BillExceptionQuery): ResultAsync<Page<BillException>, StorageFailure>;
  /** Counts the OPEN ones, up to `atMost`, so that the cost does not grow with the table, and says when the first of them was found. */
  openSince(atMost: number): ResultAsync<DueWork, StorageFailure>;
}
