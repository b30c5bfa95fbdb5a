import type { RefundApproval, RefundApprovalStore, RefundKey } from "@tillkit/core";
import { appendAuditStatements, rowChanger, withAudit } from "./append-audit.js";
import { arrayLiteral } from "./array-literal.js";
import type { BatchOptions } from "./batched.js";
import { dueClaimer } from "./claim-due.js";
import { refundApprovalValues, toRefundApproval } from "./refund-approval-row.js";
import { refundApprovalStatements } from "./refund-approval-statements.js";
import { type OnUnreadable, rowReader } from "./row-reader.js";
import { integer } from "./row.js";
import type { SqlClient, SqlQueries, SqlValue } from "./sql-client.js";
import { storeClient } from "./store-client.js";
import { tablesOf } from "./tables.js";
import { toStorageResult } from "./to-storage-result.js";

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
  const appending = appendAuditStatements(tables);
  const changeRow = rowChanger(sql, tables);
  const keyColumns = ["app_id", "biz_no", "refund_no"];
  const read = rowReader("refund_approvals", keyColumns, toRefundApproval, onUnreadable);
  const find = async (queries: SqlQueries, key: RefundKey): Promise<RefundApproval | undefined> => {
    const [row] = await queries.query(statements.find, keyOf(key));
    return row && read.one(row);
  };
  const near = ({ bizNo }: Pick<RefundKey, "bizNo">): SqlQueries => sql.near(tables.refund_approvals, bizNo);
  const claimDue = dueClaimer(
    sql,
    statements.claimDue,
    { all: read.all, keyOf: ({ bizNo, appId, refundNo }) => [bizNo, appId, refundNo] },
    batching,
  );
  return {
    insertOnce: (approval, audit) =>
      toStorageResult(() =>
        withAudit(sql, appending, audit, async (queries) => {
          const [made] = await queries.query(statements.insert, refundApprovalValues(approval));
          const inserted = made !== undefined;
          const stored = inserted ? read.one(made) : await find(queries, approval);
          if (stored === undefined) throw new Error("The approval was neither stored nor found.");
          return { changed: inserted, value: { inserted, approval: stored } };
        }),
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
    decide: (key, { operator, note, at, to }, audit) =>
      toStorageResult(async () => {
        const next = to.state === "APPROVED" ? to.nextTryAt : null;
        const values = [...keyOf(key), operator, to.state, note, at, next];
        const decided = await changeRow(statements.decide, values, audit);
        if (decided !== undefined) return { kind: "decided", approval: read.one(decided) };
        const approval = await find(sql, key);
        if (approval === undefined) return undefined;
        return { kind: approval.state === "WAITING" ? "own" : "not-waiting", approval };
      }),
    list: ({ state, apps, before, limit }) =>
      toStorageResult(async () => {
        const { requestedAt = Number.MAX_SAFE_INTEGER, id = "" } = before ?? {};
        const values = [state, requestedAt, id, limit, appsValue(apps)];
        return read.all(await sql.query(statements.list, values));
      }),
    countWaiting: (apps, atMost) =>
      toStorageResult(async () => {
        const [counted] = await sql.query(statements.countWaiting, [atMost, appsValue(apps)]);
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

/** Returns the value of a condition on apps. `null` selects every app. */
function appsValue(apps: readonly string[] | undefined): SqlValue {
  return apps === undefined ? null : arrayLiteral(apps);
}
