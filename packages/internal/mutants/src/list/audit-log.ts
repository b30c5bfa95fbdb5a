import type { Mutant } from "../mutant.js";

const AUDIT_LOG = "packages/memory/src/audit/audit-log.ts";
const SQL_AUDIT_LOG = "packages/postgres/src/audit/audit-log.ts";
const SQL_APPEND_AUDIT = "packages/postgres/src/audit/append-audit.ts";

/** Mutants of the audit log: each change has one begun form at a time, and one definite outcome. */
export const AUDIT: readonly Mutant[] = [
  {
    name: "audit-second-outcome",
    guards: "the audit log has at most one definite outcome of a change",
    file: AUDIT_LOG,
    find: 'if (known?.kind === "recorded" && known.outcome.outcome !== "unknown")',
    replace: "if (false)",
  },
  {
    name: "sql-audit-second-outcome",
    guards: "the audit log has at most one definite outcome of a change",
    file: SQL_APPEND_AUDIT,
    find: "where not exists (select from ${audit_log} where ${CHANGE} and outcome <> 'unknown')",
    replace: "where true",
  },
  {
    name: "audit-outcome-after-unknown-refused",
    guards: "a late outcome of a change is stored after its unknown one",
    file: AUDIT_LOG,
    find: '"recorded" && known.outcome.outcome !== "unknown")',
    replace: '"recorded")',
  },
  {
    name: "sql-audit-outcome-after-unknown-refused",
    guards: "a late outcome of a change is stored after its unknown one",
    file: SQL_APPEND_AUDIT,
    find: "where ${CHANGE} and outcome <> 'unknown')",
    replace: "where ${CHANGE})",
  },
  {
    name: "audit-outcome-leaves-change-begun",
    guards: "the outcome of a change ends it",
    file: AUDIT_LOG,
    find: "if (entry.change !== undefined) begunChanges.delete(compositeKey(entry.operator, entry.change.id));",
    replace: "",
  },
  {
    name: "sql-audit-outcome-leaves-change-begun",
    guards: "the outcome of a change ends it",
    file: SQL_APPEND_AUDIT,
    find: "ended as (delete from ${begun_changes} where ${CHANGE})",
    replace: "ended as (delete from ${begun_changes} where ${CHANGE} and false)",
  },
  {
    name: "audit-running-change-begins-again",
    guards: "a change that runs does not begin a second time",
    file: AUDIT_LOG,
    find: "if (leaseUntil > now || draft.change.digest !== ref.digest) return known;",
    replace: "if (draft.change.digest !== ref.digest) return known;",
  },
  {
    name: "sql-audit-running-change-begins-again",
    guards: "a change that runs does not begin a second time",
    file: SQL_AUDIT_LOG,
    find: "where begun.lease_ms <= $6 and begun.digest = excluded.digest",
    replace: "where $6::bigint is not null and begun.digest = excluded.digest",
  },
  {
    name: "audit-id-begins-another-change",
    guards: "the id of a begun change begins no other change",
    file: AUDIT_LOG,
    find: "if (leaseUntil > now || draft.change.digest !== ref.digest) return known;",
    replace: "if (leaseUntil > now) return known;",
  },
  {
    name: "sql-audit-id-begins-another-change",
    guards: "the id of a begun change begins no other change",
    file: SQL_AUDIT_LOG,
    find: "where begun.lease_ms <= $6 and begun.digest = excluded.digest",
    replace: "where begun.lease_ms <= $6",
  },
  {
    name: "audit-decided-change-begins-again",
    guards: "a change with an outcome does not begin again",
    file: AUDIT_LOG,
    find: 'if (outcome.outcome !== "unknown" || outcome.change.digest !== ref.digest) return known;',
    replace: "if (outcome.change.digest !== ref.digest) return known;",
  },
  {
    name: "sql-audit-decided-change-begins-again",
    guards: "a change with an outcome does not begin again",
    file: SQL_AUDIT_LOG,
    find: 'if (outcome.outcome === "unknown" && outcome.change.digest === ref.digest) return { kind: "begun" };',
    replace: 'if (outcome.change.digest === ref.digest) return { kind: "begun" };',
  },
  {
    name: "audit-live-change-abandoned",
    guards: "only a change whose lease has ended becomes unknown",
    file: AUDIT_LOG,
    find: ".filter(({ leaseUntil }) => leaseUntil <= before)",
    replace: "",
    onlyHere: "In SQL, the search and the delete both compare the lease, and each alone is enough.",
  },
];
