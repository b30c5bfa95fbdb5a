import type { AuditEntry, OperatorAccount, OperatorSession } from "@tillkit/core/ports";
import { aHash, FIXTURE_TIME } from "./fixtures.js";

/** Creates an audit entry. `changes` replaces single members. */
export function anAuditEntry(changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    at: FIXTURE_TIME,
    operator: "han",
    action: "operator.create",
    outcome: "done",
    subject: "operator:li",
    reason: "joined the team",
    from: "192.0.2.1",
    traceId: "0123456789abcdef0123456789abcdef",
    ...changes,
  };
}

/** Creates the account of the operator `li` without second factor. */
export function anOperatorAccount(changes: Partial<OperatorAccount> = {}): OperatorAccount {
  return {
    name: "li",
    role: "support",
    passwordHash: "scrypt$first",
    mustChangePassword: false,
    disabled: false,
    grants: [],
    gmtCreate: FIXTURE_TIME,
    gmtModified: FIXTURE_TIME,
    ...changes,
  };
}

/** Creates a complete session of the operator `li`. */
export function anOperatorSession(changes: Partial<OperatorSession> = {}): OperatorSession {
  return {
    tokenHash: aHash("token"),
    operator: "li",
    csrfHash: aHash("csrf"),
    complete: true,
    createdAt: FIXTURE_TIME,
    expiresAt: FIXTURE_TIME + 1_000,
    lastSeenAt: FIXTURE_TIME,
    ...changes,
  };
}
