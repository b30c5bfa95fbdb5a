import {
  type OrderKey,
  type RefundMoved,
  type RefundRequestOutcome,
  type RefundStore,
  timelineText,
} from "@tillkit/core";
import { toDueWork } from "./due-work.js";
import { claimDue } from "./claim-due.js";
import { guard } from "./guard.js";
import { toOrder } from "./order-row.js";
import { refundStatements } from "./refund-statements.js";
import { refundReader, refundValues, toRefund } from "./refund-row.js";
import type { OnUnreadable } from "./row-reader.js";
import { flag, oneOf, optionalText } from "./row.js";
import { serviceStatements } from "./service-statements.js";
import type { SqlClient, SqlRow, SqlValue } from "./sql-client.js";
import { tablesOf } from "./tables.js";

const KINDS = ["requested", "held", "not-paid", "in-progress", "exceeds-remaining"] as const;

/** `RefundStore` on PostgreSQL, over the tables of `schema`. */
export function postgresRefundStore(
  sql: SqlClient,
  schema: string,
  onUnreadable?: OnUnreadable,
): RefundStore {
  const tables = tablesOf(schema);
  const statements = refundStatements(tables);
  const services = serviceStatements(tables);
  const { all: toRefunds } = refundReader(onUnreadable);
  return {
    request: (asked, entry) =>
      guard(async (): Promise<RefundRequestOutcome> => {
        const refund = { ...asked, status: "REQUESTED" } as const;
        const values = [...refundValues(refund), timelineText(entry)];
        const [row] = await sql.query(statements.request, values);
        if (row === undefined) return { kind: "no-order" };
        const order = toOrder(row);
        const kind = oneOf(row, "kind", KINDS);
        if (kind === "requested") return { kind, order, refund };
        // What was stored while this call waited for the order is not in what its statement could see, so refunds are looked up after it.
        const [held] = await sql.query(statements.find, keyOf(asked, asked.refundNo));
        if (held !== undefined) return { kind: "held", order, refund: toRefund(held) };
        if (kind === "held") throw new Error("The refund with the number was not found.");
        if (kind !== "in-progress") return { kind, order };
        const key = keyOf(asked, optionalText(row, "open_refund_no") ?? "");
        const [other] = await sql.query(statements.find, key);
        if (other === undefined) throw new Error("The refund under way was not found.");
        return { kind, order, refund: toRefund(other) };
      }),
    markSent: (key, refundNo, nextTryAt, entry) =>
      guard(async () => {
        const facts = [timelineText(entry), entry.at, nextTryAt];
        return firstMoved(await sql.query(statements.markSent, [...keyOf(key, refundNo), ...facts]));
      }),
    confirm: (key, refundNo, { at, walletRefundNo, entry, refundedEntry }) =>
      guard(() =>
        // Orders and services are spread by different columns, so a statement cannot change both.
        sql.transaction(async (transaction) => {
          const facts = [timelineText(entry), at, walletRefundNo ?? null, timelineText(refundedEntry)];
          const moved = firstMoved(
            await transaction.query(statements.confirm, [...keyOf(key, refundNo), ...facts]),
          );
          if (moved?.moved === true && moved.order.paymentStatus === "REFUND") {
            const { customerIdentity, appId, id, service } = moved.order;
            if (service !== undefined) {
              const owner = [customerIdentity, appId, service.serviceTypeNo];
              // The lock comes first: a statement does not see what others stored while it waited for one.
              await transaction.query(services.lock, owner);
              await transaction.query(services.takeBack, [...owner, id]);
            }
          }
          return moved;
        }),
      ),
    reject: (key, refundNo, at, entry) =>
      guard(async () =>
        firstMoved(await sql.query(statements.reject, [...keyOf(key, refundNo), timelineText(entry), at])),
      ),
    list: ({ bizNo, appId }) =>
      guard(async () => (await sql.query(statements.list, [bizNo, appId])).map(toRefund)),
    listConfirmed: ({ payToolIds, from, until, after, limit }) =>
      guard(async () => {
        const { gmtModified = from, bizNo = "", appId = "", refundNo = "" } = after ?? {};
        const place = [gmtModified, bizNo, appId, refundNo];
        const values = [JSON.stringify(payToolIds), from, until, ...place, limit];
        const rows = await sql.query(statements.listConfirmed, values);
        return rows.map((row) => ({ refund: toRefund(row), order: toOrder(row) }));
      }),
    claimDue: (now, limit, lease) =>
      guard(() =>
        claimDue(
          sql,
          statements.claimDue,
          { now, limit, until: now + lease },
          { all: toRefunds, keyOf: ({ bizNo, appId, refundNo }) => [bizNo, appId, refundNo] },
        ),
      ),
    dueSince: (now, atMost) =>
      guard(async () => toDueWork(await sql.query(statements.dueSince, [now, atMost]))),
    schedule: (key, refundNo, nextTryAt) =>
      guard(async () => {
        await sql.query(statements.schedule, [...keyOf(key, refundNo), nextTryAt]);
      }),
  };
}

function keyOf({ bizNo, appId }: OrderKey, refundNo: string): readonly SqlValue[] {
  return [bizNo, appId, refundNo];
}

function firstMoved([row]: readonly SqlRow[]): RefundMoved | undefined {
  return row && { moved: flag(row, "changed"), refund: toRefund(row), order: toOrder(row) };
}
