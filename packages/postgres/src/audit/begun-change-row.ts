import { AUDIT_ACTIONS, type BegunChange } from "@tillkit/core";
import { optionalMember } from "../sql/optional-member.js";
import { enumValue, integer, optionalText, text } from "../sql/row.js";
import type { SqlRow, SqlValue } from "../sql/sql-client.js";
import { UnreadableValue } from "../sql/unreadable-value.js";

/** The columns of `begun_changes`. */
export const BEGUN_CHANGE_COLUMNS = ["operator", "change_id", "digest", "lease_ms", "draft"] as const;

/** Returns the values of {@link BEGUN_CHANGE_COLUMNS}, in their order. */
export function begunChangeValues({ draft, leaseUntil }: BegunChange): readonly SqlValue[] {
  const { operator, change, ...facts } = draft;
  return [operator, change.id, change.digest, leaseUntil, JSON.stringify(facts)];
}

/** Reads a begun change from a row with {@link BEGUN_CHANGE_COLUMNS}. */
export function toBegunChange(row: SqlRow): BegunChange {
  const draft: unknown = JSON.parse(text(row, "draft"));
  if (typeof draft !== "object" || draft === null)
    throw new UnreadableValue("The draft of a begun change is not an object.");
  const facts: SqlRow = { appId: null, detail: null, ...draft };
  return {
    draft: {
      at: integer(facts, "at"),
      operator: text(row, "operator"),
      action: enumValue(facts, "action", AUDIT_ACTIONS),
      subject: text(facts, "subject"),
      ...optionalMember("appId", optionalText(facts, "appId")),
      reason: text(facts, "reason"),
      ...optionalMember("detail", optionalText(facts, "detail")),
      from: text(facts, "from"),
      traceId: text(facts, "traceId"),
      change: { id: text(row, "change_id"), digest: text(row, "digest") },
    },
    leaseUntil: integer(row, "lease_ms"),
  };
}
