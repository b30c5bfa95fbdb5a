import {
  CLAIM_FOLLOWS,
  CLAIM_TAKES_OVER,
  type FulfilmentStore,
  type StoredPurchase,
} from "../fulfilment-store.js";
import { DEFAULT_TABLE, tableName } from "./fulfilment-table.js";
import { toPurchase } from "./purchase-row.js";

/** Runs statements with parameters, as `pg` does. */
export interface PgQueries {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** A statement of the store. Its values are read as text. */
interface PgQuery {
  text: string;
  values: unknown[];
  types: { getTypeParser(): (value: string) => unknown };
}

/**
 * Returns each value as text. The host may have replaced the parsers of `pg` for the whole process.
 */
const AS_TEXT = { getTypeParser: () => (value: string) => value };

/** A connection of a {@link PgPool}. */
export interface PgConnection extends PgQueries {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
  query(query: PgQuery): Promise<{ readonly rows: readonly unknown[] }>;
  on(event: "error", listener: () => void): unknown;
  off(event: "error", listener: () => void): unknown;
  /** Returns the connection to the pool. With `true`, the pool closes it. */
  release(destroy?: boolean): void;
}

/** The part of `pg.Pool` that the store uses. */
export interface PgPool {
  on(event: "error", listener: () => void): unknown;
  listenerCount(event: "error"): number;
  query(query: PgQuery): Promise<{ readonly rows: readonly unknown[] }>;
  connect(): Promise<PgConnection>;
}

/** Options of {@link postgresFulfilmentStore}. */
export interface PostgresFulfilmentOptions {
  /** A pool of `pg`. An effect occupies one connection, so the pool needs at least two. */
  readonly pool: PgPool;
  /**
   * Where `grant` and `revoke` have effects.
   *
   * - `transactional`: they write with `tx` only. A grant whose process died did not happen, so a
   *   refund does not revoke it.
   * - `external`: they also write elsewhere, such as to another service. A grant whose process died
   *   may have happened, so a refund revokes it.
   */
  readonly effects: "transactional" | "external";
  /**
   * The name of the table of `fulfilmentTableSql`. Defaults to `tillkit_purchases`.
   *
   * Each app of the service needs its own table, because a `bizNo` is unique in one app only.
   */
  readonly table?: string;
}

/**
 * Creates a store on PostgreSQL. Create the table with `fulfilmentTableSql` first.
 *
 * An effect receives the connection of the transaction that stores the outcome: what it writes with
 * `tx.query` happens exactly once. The row of the purchase is locked meanwhile, so keep the effect
 * short, and do not end the transaction.
 *
 * @returns the store.
 * @throws RangeError if the name of the table is not usable.
 * @example
 * ```ts
 * import { postgresFulfilmentStore } from "@tillkit/client/fulfil/postgres";
 * import pg from "pg";
 *
 * const store = postgresFulfilmentStore({ pool: new pg.Pool(), effects: "transactional" });
 * ```
 */
export function postgresFulfilmentStore({
  pool,
  effects,
  table = DEFAULT_TABLE,
}: PostgresFulfilmentOptions): FulfilmentStore<PgQueries> {
  const name = tableName(table);
  // Without a listener, the process would end if the server ends an idle connection. The pool drops
  // such a connection. The stores of several tables may share a pool, and one listener is enough.
  if (pool.listenerCount("error") === 0) pool.on("error", ignore);
  const run = (text: string, values: unknown[], queries: Pick<PgPool, "query"> = pool) =>
    queries.query({ text, values, types: AS_TEXT });
  const first = async (text: string, values: unknown[]): Promise<StoredPurchase | undefined> => {
    const { rows } = await run(text, values);
    return rows.length === 0 ? undefined : toPurchase(rows[0]);
  };
  return {
    insertOnce: async ({ bizNo, customerIdentity, amount, data }, now, checkAt) => {
      const inserted = await first(
        `insert into ${name} (biz_no, customer_identity, amount_cents, data, status, since_ms, may_be_granted, check_at_ms)
         values ($1, $2, $3, $4, 'REGISTERED', $5, false, $6) on conflict (biz_no) do nothing returning *`,
        [bizNo, customerIdentity, amount, data, now, checkAt ?? null],
      );
      const stored = inserted ?? (await first(`select * from ${name} where biz_no = $1`, [bizNo]));
      if (stored === undefined) throw new Error("The purchase was neither stored nor found.");
      return stored;
    },
    find: (bizNo) => first(`select * from ${name} where biz_no = $1`, [bizNo]),
    claim: (bizNo, { id, to, now, until }) =>
      first(
        // Skips a locked row instead of waiting. Otherwise, each process that verifies would occupy
        // a connection while an effect hangs.
        `with free as (
           select biz_no from ${name} where biz_no = $1
             and (status = any($6::text[]) or (status = any($7::text[]) and claim_until_ms <= $3))
           for update skip locked
         )
         update ${name} purchase set status = $2,
           since_ms = case when status = $2 then since_ms else $3 end, claim_id = $4,
           claim_until_ms = $5, check_at_ms = $5, may_be_granted = may_be_granted or $8
         from free where purchase.biz_no = free.biz_no returning purchase.*`,
        [
          bizNo,
          to,
          now,
          id,
          until,
          [...CLAIM_FOLLOWS[to]],
          [...CLAIM_TAKES_OVER[to]],
          effects === "external" && to === "GRANTING",
        ],
      ),
    complete: async (bizNo, { claimId, to, now, checkAt }, effect) =>
      inTransaction(pool, async (connection) => {
        // The lock keeps others from taking the claim over until the transaction ends, even after
        // the claim has expired.
        const { rows } = await run(
          `select biz_no from ${name} where biz_no = $1 and claim_id = $2 for update`,
          [bizNo, claimId],
          connection,
        );
        if (rows.length === 0) return false;
        await effect({ query: (text, values) => connection.query(text, values) });
        await run(
          `update ${name} set status = $2, since_ms = $3, check_at_ms = $4, may_be_granted = $5,
             claim_id = null, claim_until_ms = null where biz_no = $1`,
          [bizNo, to, now, checkAt ?? null, to === "GRANTED"],
          connection,
        );
        return true;
      }),
    release: async (bizNo, claimId, now, checkAt) => {
      await run(
        `update ${name} set claim_until_ms = $3, check_at_ms = $4 where biz_no = $1 and claim_id = $2`,
        [bizNo, claimId, now, checkAt],
      );
    },
    takeDue: async (now, limit, until) => {
      const { rows } = await run(
        `with due as (
           select biz_no, check_at_ms from ${name} where check_at_ms <= $1 order by check_at_ms limit $2
           for update skip locked
         ), taken as (
           update ${name} purchase set check_at_ms = $3 from due where purchase.biz_no = due.biz_no
           returning purchase.*, due.check_at_ms as due_ms
         )
         select * from taken order by due_ms`,
        [now, limit, until],
      );
      return rows.map(toPurchase);
    },
    schedule: async (bizNo, status, checkAt) => {
      await run(`update ${name} set check_at_ms = $3 where biz_no = $1 and status = $2`, [
        bizNo,
        status,
        checkAt ?? null,
      ]);
    },
  };
}

const ignore = (): void => undefined;

/** Runs the work in a transaction. Rolls back and rejects if the work rejects. */
async function inTransaction<T>(pool: PgPool, work: (connection: PgConnection) => Promise<T>): Promise<T> {
  const connection = await pool.connect();
  let isUsable = false;
  // Without a listener, a connection that is lost between two statements would end the process.
  connection.on("error", ignore);
  try {
    await connection.query("begin");
    try {
      const result = await work(connection);
      await connection.query("commit");
      isUsable = true;
      return result;
    } catch (error) {
      // If the rollback fails too, the pool closes the connection, and PostgreSQL rolls back.
      isUsable = await connection.query("rollback").then(
        () => true,
        () => false,
      );
      throw error;
    }
  } finally {
    connection.off("error", ignore);
    connection.release(!isUsable);
  }
}
