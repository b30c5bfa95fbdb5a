import { isRecord } from "../../guards.js";
import type { PurchaseStatus, StoredPurchase } from "../fulfilment-store.js";

const STATUSES: readonly PurchaseStatus[] = ["REGISTERED", "GRANTING", "GRANTED", "REVOKING", "REVOKED"];

/** Reads a row of the table. Throws a `TypeError` that names the first wrong column. */
export function toPurchase(row: unknown): StoredPurchase {
  if (!isRecord(row)) throw new TypeError("A row of purchases is not an object.");
  const [claimId, claimUntil, checkAt] = [row["claim_id"], row["claim_until_ms"], row["check_at_ms"]];
  return {
    bizNo: text(row, "biz_no"),
    customerIdentity: text(row, "customer_identity"),
    amount: integer(row, "amount_cents"),
    data: text(row, "data"),
    status: statusOf(row),
    since: integer(row, "since_ms"),
    mayBeGranted: booleanOf(row, "may_be_granted"),
    ...(claimId === null ? {} : { claimId: text(row, "claim_id") }),
    ...(claimUntil === null ? {} : { claimUntil: integer(row, "claim_until_ms") }),
    ...(checkAt === null ? {} : { checkAt: integer(row, "check_at_ms") }),
  };
}

type Row = Readonly<Record<string, unknown>>;

function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`${column} is not a text.`);
  return value;
}

/** Reads a boolean. The store reads every value as text. */
function booleanOf(row: Row, column: string): boolean {
  const value = text(row, column);
  if (value !== "t" && value !== "f") throw new TypeError(`${column} is not a boolean.`);
  return value === "t";
}

function integer(row: Row, column: string): number {
  const value = Number(text(row, column));
  if (!Number.isSafeInteger(value)) throw new TypeError(`${column} is not an integer.`);
  return value;
}

function statusOf(row: Row): PurchaseStatus {
  const status = STATUSES.find((one) => one === row["status"]);
  if (status === undefined) throw new TypeError("status is not known.");
  return status;
}
