import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { type AuditEntry, auditHash, auditText, chainedAuditEvent } from "./audit-entry.js";

const digest = { sha256: (text: string) => createHash("sha256").update(text).digest("hex") };

const PLAIN: AuditEntry = {
  at: 1_768_449_600_000,
  operator: "li",
  action: "session.open",
  outcome: "done",
  subject: "operator:li",
  reason: "",
  from: "192.0.2.1",
  traceId: "0123456789abcdef0123456789abcdef",
};

const FULL: AuditEntry = {
  ...PLAIN,
  action: "refund.request",
  subject: "order:app_1/biz-1",
  appId: "app_1",
  reason: "退货",
  detail: '{"refundNo":"r-1","amount":250}',
  change: { id: "change-0123456789", digest: "a".repeat(64) },
};

// These values must never change: the logs of every host contain them.
it("hashes an entry as before", () => {
  expect(auditHash(digest, "", PLAIN)).toBe(
    "b48cee52c0245aaa8b4e8bc94f9c2100cf9a10c332716f691fd70487a30b6c5f",
  );
  expect(auditHash(digest, "", FULL)).toBe(
    "352bf49b35fbb33abfc3fc040742461a7ca7992aa1223ce351d9c21b9f391154",
  );
  expect(auditHash(digest, "f".repeat(64), FULL)).toBe(
    "7b14e374f292508c26abfb272fb6b76e0e3469eee81e4e42d604fca9f6ec6416",
  );
});

it("writes an entry as a JSON array, with two more members for a change", () => {
  expect(auditText(PLAIN)).toBe(
    '[1768449600000,"li","session.open","done","operator:li",null,"",null,"192.0.2.1","0123456789abcdef0123456789abcdef"]',
  );
  expect(JSON.parse(auditText(FULL))).toHaveLength(12);
});

it.each<[string, Partial<AuditEntry>]>([
  ["at", { at: 1 }],
  ["operator", { operator: "han" }],
  ["action", { action: "refund.approve" }],
  ["outcome", { outcome: "failed" }],
  ["subject", { subject: "order:app_1/biz-2" }],
  ["appId", { appId: "app_2" }],
  ["reason", { reason: "other" }],
  ["detail", { detail: '{"refundNo":"r-1","amount":251}' }],
  ["from", { from: "192.0.2.2" }],
  ["traceId", { traceId: "" }],
  ["the id of the change", { change: { id: "change-0123456780", digest: "a".repeat(64) } }],
  ["the digest of the change", { change: { id: "change-0123456789", digest: "b".repeat(64) } }],
])("another %s changes the hash", (_, changes) => {
  expect(auditHash(digest, "", { ...FULL, ...changes })).not.toBe(auditHash(digest, "", FULL));
});

it.each(["appId", "detail", "change"] as const)("a missing %s changes the hash", (member) => {
  const { [member]: _left, ...rest } = FULL;
  expect(auditHash(digest, "", rest)).not.toBe(auditHash(digest, "", FULL));
});

it("chains an entry to the one before", () => {
  const first = chainedAuditEvent(digest, undefined, PLAIN);
  const second = chainedAuditEvent(digest, first, FULL);
  expect([first.seq, second.seq]).toEqual([1, 2]);
  expect(second.previousHash).toBe(first.hash);
  expect(second.hash).toBe(auditHash(digest, first.hash, FULL));
});
