import { createHash } from "node:crypto";
import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { stub } from "../testing/stubs.js";
import { type AuditEntry, type AuditEvent, auditHash, chainedAuditEvent } from "./audit-entry.js";
import type { AuditLog } from "./audit-log.js";
import { checkAuditLog } from "./check-audit-log.js";
import { orThrow } from "../errors/or-throw.js";

const digest = { sha256: (text: string) => createHash("sha256").update(text).digest("hex") };

function entryOf(nth: number): AuditEntry {
  return {
    at: 1_768_449_600_000 + nth,
    operator: "li",
    action: "refund.request",
    outcome: "done",
    subject: `order:app_1/biz-${nth}`,
    appId: "app_1",
    reason: "bought twice",
    detail: '{"amount":250}',
    from: "192.0.2.1",
    traceId: "0123456789abcdef0123456789abcdef",
    change: { id: `change-${nth}`, digest: "a".repeat(64) },
  };
}

/** Returns the log of `count` entries. */
function logOf(count: number): AuditEvent[] {
  const events: AuditEvent[] = [];
  for (let nth = 1; nth <= count; nth += 1)
    events.push(chainedAuditEvent(digest, events.at(-1), entryOf(nth)));
  return events;
}

async function check(events: readonly AuditEvent[], since?: Pick<AuditEvent, "seq" | "hash">) {
  const auditLog: AuditLog = stub({
    read: (after, limit) => okAsync(events.filter(({ seq }) => seq > after).slice(0, limit)),
  });
  return await orThrow(checkAuditLog({ auditLog, digest: { ...digest, keyed: (text) => [text] } }, since));
}

const upTo = ({ seq, at, hash }: AuditEvent) => ({ seq, at, hash });

function at(events: readonly AuditEvent[], seq: number): AuditEvent {
  const found = events.find((event) => event.seq === seq);
  if (found === undefined) throw new Error(`There is no entry ${seq}.`);
  return found;
}

it("reports no broken entry of an empty or intact log, also if the log has several pages", async () => {
  expect(await check([])).toEqual({});
  for (const count of [1, 3, 999, 1_000, 1_001, 2_003]) {
    const events = logOf(count);
    expect(await check(events)).toEqual({ intactUpTo: upTo(at(events, count)) });
  }
});

/** Every member of an entry, with another value. */
const CHANGES = {
  at: 1,
  operator: "han",
  action: "refund.approve",
  outcome: "refused",
  subject: "order:app_1/biz-9",
  appId: "app_2",
  reason: "another",
  detail: '{"amount":251}',
  from: "192.0.2.2",
  traceId: "",
  change: { id: "change-2", digest: "b".repeat(64) },
} as const satisfies Required<AuditEntry>;

describe.each(Object.entries(CHANGES))("a changed %s", (name, value) => {
  it("breaks the chain at its entry", async () => {
    const events = logOf(4);
    const changed = { ...at(events, 2), [name]: value };
    expect(await check(events.with(1, changed))).toEqual({ intactUpTo: upTo(at(events, 1)), brokenAt: 2 });
  });

  it("breaks the chain after its entry if its hash was computed again", async () => {
    const events = logOf(4);
    const changed = { ...at(events, 2), [name]: value };
    const hash = auditHash(digest, changed.previousHash, changed);
    const rewritten = { ...changed, hash };
    expect(await check(events.with(1, rewritten))).toEqual({ intactUpTo: upTo(rewritten), brokenAt: 3 });
  });
});

it.each(["appId", "detail", "change"] as const)("a removed %s breaks the chain", async (name) => {
  const events = logOf(3);
  const { [name]: _gone, ...rest } = at(events, 2);
  expect(await check(events.with(1, rest))).toMatchObject({ brokenAt: 2 });
});

it.each([
  ["the first entry", (events: AuditEvent[]) => events.slice(1), 1],
  ["an entry", (events: AuditEvent[]) => events.toSpliced(1, 1), 2],
  ["an entry, and numbered the next ones again", renumbered, 2],
  ["an entry at the end of a page", (events: AuditEvent[]) => events.toSpliced(999, 1), 1_000],
  ["an entry at the start of a page", (events: AuditEvent[]) => events.toSpliced(1_000, 1), 1_001],
])("notices that somebody removed %s", async (_, remove, brokenAt) => {
  expect(await check(remove(logOf(1_005)))).toMatchObject({ brokenAt });
});

/** Removes the second entry and numbers the later entries again. */
function renumbered(events: AuditEvent[]): AuditEvent[] {
  return events.toSpliced(1, 1).map((event, index) => ({ ...event, seq: index + 1 }));
}

it.each([
  [
    "changed the number of an entry",
    (events: AuditEvent[]) => events.with(2, { ...at(events, 3), seq: 7 }),
    3,
  ],
  [
    "swapped two entries",
    (events: AuditEvent[]) =>
      events.with(1, { ...at(events, 3), seq: 2 }).with(2, { ...at(events, 2), seq: 3 }),
    2,
  ],
  [
    "changed the hash of the entry before",
    (events: AuditEvent[]) => events.with(2, { ...at(events, 3), previousHash: "0".repeat(64) }),
    3,
  ],
  ["changed a hash", (events: AuditEvent[]) => events.with(2, { ...at(events, 3), hash: "0".repeat(64) }), 3],
])("notices that somebody %s", async (_, harm, brokenAt) => {
  expect(await check(harm(logOf(5)).toSorted((left, right) => left.seq - right.seq))).toMatchObject({
    brokenAt,
  });
});

describe("with an entry that was stored elsewhere", () => {
  it("checks the entries after it", async () => {
    const events = logOf(5);
    expect(await check(events, at(events, 3))).toEqual({ intactUpTo: upTo(at(events, 5)) });
    expect(await check(events, at(events, 5))).toEqual({ intactUpTo: upTo(at(events, 5)) });
  });

  it("reports the entry if it was removed from the end, or changed with all later entries", async () => {
    const events = logOf(5);
    expect(await check(events.slice(0, 4), at(events, 5))).toEqual({ brokenAt: 5 });
    const forged = logOf(2);
    for (let nth = 3; nth <= 5; nth += 1)
      forged.push(chainedAuditEvent(digest, forged.at(-1), { ...entryOf(nth), operator: "han" }));
    expect(await check(forged)).toEqual({ intactUpTo: upTo(at(forged, 5)) });
    expect(await check(forged, at(events, 5))).toEqual({ brokenAt: 5 });
  });
});
