import type { OrderKey, TimelineEntry } from "@tillkit/core";
import {
  operatorNameKey,
  type ApprovalDecisionResult,
  type ApprovalRequestOutcome,
  refusedDecision,
  type RefundApproval,
  type RefundApprovalStore,
  type RefundKey,
  type StoredRecord,
} from "@tillkit/core/ports";
import { auditAppender, type Audited, transactionWithAudit } from "../audit/append-audit.js";
import { eventAppender, newEvent } from "../timeline/append-events.js";
import { appsFilter } from "../sql/apps-filter.js";
import { arrayLiteral } from "../sql/array-literal.js";
import type { BatchOptions } from "../batching/batched.js";
import { dueClaimer } from "../timeline/claim-due.js";
import { refundApprovalValues, toRefundApproval } from "./refund-approval-row.js";
import { toException } from "../bills/bill-exception-row.js";
import { toStoredRecord } from "../refunds/stored-record.js";
import { handlerNames } from "../timeline/handler-names.js";
import { toGrants } from "../operators/operator-row.js";
import { refundApprovalStatements } from "./refund-approval-statements.js";
import { type OnUnreadable, rowReader } from "../sql/row-reader.js";
import { integer, jsonRows, text } from "../sql/row.js";
import type { SqlClient, SqlQueries, SqlRow, SqlValue } from "../sql/sql-client.js";
import { byDistribution, storeClient } from "../cluster/store-client.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";

/** Creates a `RefundApprovalStore` on PostgreSQL, over the tables of `schema`. */
export function postgresRefundApprovalStore(
  client: SqlClient,
  schema: string,
  batching?: BatchOptions,
  onUnreadable?: OnUnreadable,
): RefundApprovalStore {
  const sql = storeClient(client, schema);
  const tables = tablesOf(schema);
  const statements = refundApprovalStatements(tables);
  const appender = auditAppender(sql, tables);
  const keyColumns = ["app_id", "biz_no", "refund_no"];
  const read = rowReader("refund_approvals", keyColumns, toRefundApproval, onUnreadable);
  const readExceptions = rowReader("bill_exceptions", ["id"], toException, onUnreadable);
  const find = async (queries: SqlQueries, key: RefundKey): Promise<RefundApproval | undefined> => {
    const [row] = await queries.query(statements.find, keyOf(key));
    return row && read.one(row);
  };
  const append = eventAppender(tables);
  /**
   * Locks an order, and returns the end of its timeline.
   *
   * The lock of the order protects its approvals and its timeline.
   */
  const lockOrder = async (queries: SqlQueries, { bizNo, appId }: OrderKey) => {
    const [row] = await queries.query(statements.lockOrder, [bizNo, appId]);
    return (
      row && {
        seq: integer(row, "timeline_seq"),
        hash: text(row, "timeline_hash"),
        handlers: handlerNames(row),
      }
    );
  };
  const appendEvent = async (
    queries: SqlQueries,
    { bizNo, appId }: OrderKey,
    order: { readonly seq: number; readonly hash: string; readonly handlers: readonly string[] },
    entry: TimelineEntry,
  ): Promise<void> => {
    const key = { bizNo, appId };
    const event = newEvent({ key, seq: order.seq + 1, previousHash: order.hash, entry });
    await queries.query(statements.moveTimeline, [bizNo, appId, event.seq, event.hash]);
    await append(queries, [event], order.handlers);
  };
  const near = ({ bizNo }: Pick<RefundKey, "bizNo">): SqlQueries => sql.near(tables.refund_approvals, bizNo);
  const readFacts = byDistribution(sql, {
    server: async ({ key: { bizNo, appId }, mostExceptions }: FactsCall): Promise<FactsRows | undefined> => {
      const [row] = await sql.query(statements.refundFacts, [bizNo, appId, mostExceptions]);
      return row && { row, record: toStoredRecord(row), exceptions: jsonRows(row, "exceptions") };
    },
    cluster: async ({ key: { bizNo, appId }, mostExceptions }) => {
      const [row] = await near({ bizNo }).query(statements.refundFactsOnCluster, [bizNo, appId]);
      if (row === undefined) return undefined;
      const record = toStoredRecord(row);
      const exceptions = await sql.query(statements.openExceptions, [record.order.id, mostExceptions]);
      return { row, record, exceptions };
    },
  });
  const claimDue = dueClaimer(
    sql,
    statements.claimDue,
    { all: read.all, keyOf: ({ bizNo, appId, refundNo }) => [bizNo, appId, refundNo] },
    batching,
  );
  return {
    request: (approval, entry, seen, audit) =>
      toStorageResult(() =>
        transactionWithAudit(
          sql,
          appender,
          audit,
          async (queries): Promise<Audited<ApprovalRequestOutcome>> => {
            const order = await lockOrder(queries, approval);
            if (order === undefined) return { changed: false, value: { kind: "no-order" } };
            const before = await find(queries, approval);
            if (before !== undefined) return { changed: false, value: { kind: "held", approval: before } };
            if (seen !== undefined && seen !== order.seq)
              return { changed: false, value: { kind: "changed" } };
            await queries.query(statements.insert, refundApprovalValues(approval));
            await appendEvent(queries, approval, order, entry);
            return { changed: true, value: { kind: "requested", approval } };
          },
        ),
      ),
    find: (id) =>
      toStorageResult(async () => {
        const [row] = await sql.query(statements.findById, [id]);
        return row && read.one(row);
      }),
    listOfOrder: ({ bizNo, appId }) =>
      toStorageResult(async () =>
        (await near({ bizNo }).query(statements.listOfOrder, [bizNo, appId])).map((row) => read.one(row)),
      ),
    readRefundFacts: (key, mostExceptions) =>
      toStorageResult(async () => {
        const found = await readFacts({ key, mostExceptions });
        if (found === undefined) return undefined;
        const { row, record, exceptions } = found;
        const approvals = jsonRows(row, "approvals").map((one) => read.one(one));
        return { ...record, approvals, exceptions: readExceptions.all(exceptions) };
      }),
    decide: (key, decision, entry, audit) =>
      toStorageResult(() =>
        transactionWithAudit(
          sql,
          appender,
          audit,
          async (queries): Promise<Audited<ApprovalDecisionResult | undefined>> => {
            // Locks the accounts before the order, as every change of an account locks them first.
            const accounts = (await queries.query(statements.lockGrants, [])).map((row) => ({
              name: text(row, "name"),
              grants: toGrants(row),
            }));
            const order = await lockOrder(queries, key);
            const before = await find(queries, key);
            if (order === undefined || before === undefined) return { changed: false, value: undefined };
            const refused = refusedDecision(before, decision, { accounts, seq: order.seq });
            if (refused !== undefined) return { changed: false, value: refused };
            const { operator, note, at, to } = decision;
            const next = to.state === "APPROVED" ? to.nextTryAt : null;
            const values = [...keyOf(key), operator, to.state, note, at, next];
            const [decided] = await queries.query(statements.decide, values);
            if (decided === undefined) throw new Error("The approval was not found.");
            await appendEvent(queries, key, order, entry);
            return { changed: true, value: { kind: "decided", approval: read.one(decided) } };
          },
        ),
      ),
    list: ({ states, requestedBy, notMade = false, apps, before, limit }) =>
      toStorageResult(async () => {
        const { requestedAt = Number.MAX_SAFE_INTEGER, id = "" } = before ?? {};
        const place = [arrayLiteral(states), requestedAt, id, limit, appsFilter(apps)];
        const isWaiting = states.length === 1 && states[0] === "WAITING";
        const list = isWaiting ? statements.listWaiting : statements.list;
        const requester = requestedBy === undefined ? null : operatorNameKey(requestedBy);
        return read.all(await sql.query(list, [...place, requester, notMade]));
      }),
    countWaiting: (apps, atMost) =>
      toStorageResult(async () => {
        const [counted] = await sql.query(statements.countWaiting, [atMost, appsFilter(apps)]);
        if (counted === undefined) throw new Error("The count query returned no row.");
        return integer(counted, "waiting");
      }),
    claimDue: (now, limit, lease) => toStorageResult(() => claimDue({ now, limit, until: now + lease })),
    schedule: (key, nextTryAt) =>
      toStorageResult(async () => {
        await near(key).query(statements.schedule, [...keyOf(key), nextTryAt]);
      }),
    end: (key, failure) =>
      toStorageResult(async () => {
        await near(key).query(statements.end, [...keyOf(key), failure ?? null]);
      }),
  };
}

function keyOf({ bizNo, appId, refundNo }: RefundKey): readonly SqlValue[] {
  return [bizNo, appId, refundNo];
}

interface FactsCall {
  readonly key: OrderKey;
  readonly mostExceptions: number;
}

/** What was read of an order's `RefundFacts`. `row` has its approvals. */
interface FactsRows {
  readonly row: SqlRow;
  readonly record: StoredRecord;
  readonly exceptions: readonly SqlRow[];
}
