import { type OrderKey, type TimelineEntry, timelineText } from "@tillkit/core";
import { createHash } from "node:crypto";
import { booleanValue, integer, text } from "./row.js";
import type { SqlQueries, SqlRow, SqlStatement, SqlValue } from "./sql-client.js";
import { statement } from "./statement.js";
import type { StoreClient } from "./store-client.js";
import { type Tables } from "./tables.js";
import { TIMELINE_COLUMNS } from "./timeline-sql.js";

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
   * The final query. Its columns include `changed`, `previous_seq`, `previous_hash` and
   * `timeline_seq`.
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
  readonly values: readonly SqlValue[];
  readonly key: OrderKey;
  /** The events, in order. The statement decides how many of them it appends. */
  readonly entries: readonly TimelineEntry[];
}

/** Runs appending statements over `tables`. */
export function appendingRunner(
  sql: StoreClient,
  tables: Pick<Tables, "timeline">,
): (run: AppendingRun, within?: SqlQueries) => Promise<SqlRow | undefined> {
  const append = appendEventStatement(tables);
  const parts = async (queries: SqlQueries, { statement, values, key, entries }: AppendingRun) => {
    const [row] = await queries.query(statement.change, values);
    if (row === undefined || !booleanValue(row, "changed")) return row;
    const previousSeq = integer(row, "previous_seq");
    let previous = text(row, "previous_hash");
    for (const [nth, entry] of entries.slice(0, integer(row, "timeline_seq") - previousSeq).entries()) {
      const event = { key, seq: previousSeq + nth + 1, previous, entry };
      await queries.query(append, eventValues(event));
      previous = hashOf(event);
    }
    return row;
  };
  return async (run, within) => {
    if (await sql.isDistributed())
      return within === undefined ? sql.transaction((queries) => parts(queries, run)) : parts(within, run);
    return (await (within ?? sql).query(run.statement.whole, run.values))[0];
  };
}

/** Creates the statement that inserts an event. Its values are those of {@link eventValues}. */
export function appendEventStatement({ timeline }: Pick<Tables, "timeline">): SqlStatement {
  const values = TIMELINE_COLUMNS.split(",").map((_, index) => `$${index + 1}`);
  return statement(
    "timeline_append",
    `insert into ${timeline} (${TIMELINE_COLUMNS}) values (${values.join(", ")})`,
  );
}

/** An event of the order `key` that follows the hash `previous`. */
export interface NewEvent {
  readonly key: OrderKey;
  readonly seq: number;
  readonly previous: string;
  readonly entry: TimelineEntry;
}

/** Returns the values of an event, in the order of `TIMELINE_COLUMNS`. */
export function eventValues(event: NewEvent): readonly SqlValue[] {
  const { key, seq, previous, entry } = event;
  const { type, at, actor, reason, from = null, to = null, evidence = null, alarm } = entry;
  const facts = [type, at, actor, reason, from, to, evidence, alarm];
  return [key.bizNo, key.appId, seq, ...facts, previous, hashOf(event)];
}

/** Returns the hash of an event. `timelineHash` of core computes the same. */
export function hashOf({ previous, entry }: Pick<NewEvent, "previous" | "entry">): string {
  return createHash("sha256")
    .update(`${previous}\n${timelineText(entry)}`)
    .digest("hex");
}
