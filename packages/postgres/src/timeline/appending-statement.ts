import type { OrderKey, TimelineEntry } from "@tillkit/core";
import type { SealedEntry } from "@tillkit/core/ports";
import { appendedText, sealed } from "./appended-text.js";
import { eventAppender, newEvent, type NewEvent } from "./append-events.js";
import { handlerNames } from "./handler-names.js";
import { booleanValue, integer, text } from "../sql/row.js";
import type { SqlQueries, SqlRow, SqlStatement, SqlValue } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { StoreClient } from "../cluster/store-client.js";
import type { Tables } from "../sql/tables.js";

/** A change of an order that appends events to its timeline, in two forms. */
export interface AppendingStatement {
  /** Changes the order and appends the events. */
  readonly whole: SqlStatement;
  /**
   * Only changes the order.
   *
   * A cluster cannot route a statement that inserts and changes rows to one node, so the events
   * follow in the same transaction.
   */
  readonly change: SqlStatement;
}

/** The SQL of an {@link AppendingStatement}. */
export interface AppendingSql {
  /** The CTEs that change the order. */
  readonly changes: string;
  /** The CTEs that append the events. */
  readonly events: string;
  /**
   * The final query. Its columns include `changed`, `previous_seq`, `previous_hash`,
   * `timeline_seq` and `handlers`.
   */
  readonly result: string;
}

/** Creates both forms from one definition. */
export function appendingStatement(
  method: string,
  { changes, events, result }: AppendingSql,
): AppendingStatement {
  return {
    whole: statement(method, `with ${changes}, ${events} ${result}`),
    change: statement(`${method}_only`, `with ${changes} ${result}`),
  };
}

/** A run of an {@link AppendingStatement}. */
export interface AppendingRun {
  readonly statement: AppendingStatement;
  /** Returns the values of the placeholders, from the texts of the events: see `appendedText`. */
  readonly values: (...texts: readonly string[]) => readonly SqlValue[];
  readonly key: OrderKey;
  /** The events, in order. The statement decides how many of them it appends. */
  readonly entries: readonly TimelineEntry[];
}

/** A run whose reasons are sealed once, so that each computation of a hash gives the same value. */
interface SealedRun extends Omit<AppendingRun, "values" | "entries"> {
  readonly values: readonly SqlValue[];
  readonly entries: readonly SealedEntry[];
}

/** Runs appending statements over `tables`. */
export function appendingRunner(
  sql: StoreClient,
  tables: Pick<Tables, "orders" | "timeline" | "event_deliveries">,
): (run: AppendingRun, within?: SqlQueries) => Promise<SqlRow | undefined> {
  const append = eventAppender(tables);
  const parts = async (queries: SqlQueries, { statement, values, key, entries }: SealedRun) => {
    const [row] = await queries.query(statement.change, values);
    if (row === undefined || !booleanValue(row, "changed")) return row;
    const previousSeq = integer(row, "previous_seq");
    const events: NewEvent[] = [];
    for (const entry of entries.slice(0, integer(row, "timeline_seq") - previousSeq)) {
      const previousHash = events.at(-1)?.hash ?? text(row, "previous_hash");
      events.push(newEvent({ key, seq: previousSeq + events.length + 1, previousHash, entry }));
    }
    await append(queries, events, handlerNames(row));
    return row;
  };
  return async ({ entries, values, ...asked }, within) => {
    const sealedEntries = entries.map(sealed);
    const texts = sealedEntries.map(appendedText);
    const run = { ...asked, entries: sealedEntries, values: values(...texts) };
    if (await sql.isDistributed()) {
      if (within !== undefined) return parts(within, run);
      return sql.near(tables.orders, run.key.bizNo).transaction((queries) => parts(queries, run));
    }
    return (await (within ?? sql).query(run.statement.whole, run.values))[0];
  };
}
