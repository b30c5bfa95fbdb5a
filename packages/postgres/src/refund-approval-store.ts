import {
  type ApprovalDecision,
  type ApprovalDecisionResult,
  isSameOperator,
  onePersonUntil,
  type RefundApproval,
  type RefundApprovalStore,
  type RefundKey,
} from "@tillkit/core";
import { appendAuditStatements, transactionWithAudit, withAudit } from "./append-audit.js";
import { arrayLiteral } from "./array-literal.js";
import type { BatchOptions } from "./batched.js";
import { dueClaimer } from "./claim-due.js";
import { refundApprovalValues, toRefundApproval } from "./refund-approval-row.js";
import { toGrants } from "./operator-row.js";
import { refundApprovalStatements } from "./refund-approval-statements.js";
import { type OnUnreadable, rowReader } from "./row-reader.js";
import { integer, text } from "./row.js";
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
    decide: (key, decision, audit) =>
      toStorageResult(() =>
        transactionWithAudit(sql, appending, audit, async (queries) => {
          // The accounts are locked first, as by every change of an account.
          const accounts = (await queries.query(statements.lockGrants, [])).map((row) => ({
            name: text(row, "name"),
            grants: toGrants(row),
          }));
          const [row] = await queries.query(statements.lock, keyOf(key));
          const before = row && read.one(row);
          const refused = before && refusalOf(before, decision, accounts);
          if (before === undefined || refused !== undefined) return { changed: false, value: refused };
          const { operator, note, at, to } = decision;
          const next = to.state === "APPROVED" ? to.nextTryAt : null;
          const values = [...keyOf(key), operator, to.state, note, at, next];
          const [decided] = await queries.query(statements.decide, values);
          if (decided === undefined) throw new Error("The locked approval was not changed.");
          return { changed: true, value: { kind: "decided", approval: read.one(decided) } as const };
        }),
      ),
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

/** Returns why a decision changes nothing, or `undefined`. */
function refusalOf(
  approval: RefundApproval,
  { operator, coolingOff, at }: ApprovalDecision,
  accounts: Parameters<typeof onePersonUntil>[0],
): ApprovalDecisionResult | undefined {
  const { state, requestedBy } = approval;
  if (state !== "WAITING") return { kind: "not-waiting", approval };
  if (isSameOperator(requestedBy, operator)) return { kind: "own", approval };
  const until = onePersonUntil(accounts, [requestedBy, operator], coolingOff, at);
  return until === undefined ? undefined : { kind: "one-person", approval, until };
}

function keyOf({ bizNo, appId, refundNo }: RefundKey): readonly SqlValue[] {
  return [bizNo, appId, refundNo];
}

/** Returns the value of a condition on apps. `null` selects every app. */
function appsValue(apps: readonly string[] | undefined): SqlValue {
  return apps === undefined ? null : arrayLiteral(apps);
}
