import { type AuditLog, auditHash } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { CONCURRENT_CALLERS, FIXTURE_TIME, sha256, UNUSUAL_TEXT } from "../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../support/open-before-each.js";
import { anAuditEntry } from "../../support/operator-fixtures.js";

/**
 * Tests every requirement of `AuditLog`. `open` returns an empty log for each test.
 *
 * @example
 * ```ts
 * import { auditLogContract } from "@tillkit/contract-tests";
 * import { memoryStores } from "@tillkit/memory";
 *
 * auditLogContract("memory", async () => ({
 *   port: memoryStores().auditLog,
 *   close: async () => {},
 * }));
 * ```
 */
export function auditLogContract(adapter: string, open: () => Promise<Opened<AuditLog>>): void {
  describe(`AuditLog contract: ${adapter}`, () => {
    const log = openBeforeEach(open);

    it("stores an entry exactly as given, as the first of the chain", async () => {
      const full = anAuditEntry({ appId: "app_1", detail: '{"amount":250}', reason: UNUSUAL_TEXT });
      const event = { ...full, seq: 1, previousHash: "", hash: auditHash(sha256, "", full) };
      expect(await expectOk(log().append(full))).toEqual(event);
      expect(await expectOk(log().read(0, 10))).toEqual([event]);
      expect(await expectOk(log().search({ limit: 10 }))).toEqual([event]);
    });

    it("chains each entry to the one before", async () => {
      const first = await expectOk(log().append(anAuditEntry()));
      const second = await expectOk(log().append(anAuditEntry({ action: "session.open", reason: "" })));
      expect(second).toMatchObject({ seq: 2, previousHash: first.hash });
      expect(second.hash).toBe(auditHash(sha256, first.hash, second));
    });

    it(`forms one chain without gaps from ${CONCURRENT_CALLERS} concurrent appends`, async () => {
      await race(CONCURRENT_CALLERS, (caller) => log().append(anAuditEntry({ reason: `reason ${caller}` })));
      const events = await expectOk(log().read(0, CONCURRENT_CALLERS + 1));
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(new Set(events.map(({ reason }) => reason)).size).toBe(CONCURRENT_CALLERS);
      for (const [index, event] of events.entries()) {
        const previousHash = events[index - 1]?.hash ?? "";
        expect(event.previousHash).toBe(previousHash);
        expect(event.hash).toBe(auditHash(sha256, previousHash, event));
      }
    });

    it("reads pages oldest first, and searches pages newest first", async () => {
      for (const reason of ["a", "b", "c", "d"]) await expectOk(log().append(anAuditEntry({ reason })));
      const reasons = (events: readonly { readonly reason: string }[]) => events.map((event) => event.reason);
      expect(reasons(await expectOk(log().read(1, 2)))).toEqual(["b", "c"]);
      expect(reasons(await expectOk(log().read(4, 2)))).toEqual([]);
      expect(reasons(await expectOk(log().search({ limit: 2 })))).toEqual(["d", "c"]);
      expect(reasons(await expectOk(log().search({ before: 3, limit: 2 })))).toEqual(["b", "a"]);
    });

    it.each([
      ["operator", { operator: "han" }, ["a", "d"]],
      ["action", { action: "refund.request" }, ["b", "c"]],
      ["outcome", { outcome: "refused" }, ["c"]],
      ["one app", { apps: ["app_1"] }, ["b"]],
      ["several apps", { apps: ["app_1", "app_2"] }, ["b", "c"]],
      ["no app", { apps: [] }, []],
      ["subject", { subject: "order:app_1/biz-1" }, ["b"]],
      ["time", { from: FIXTURE_TIME + 1, until: FIXTURE_TIME + 3 }, ["b", "c"]],
      ["everything at once", { operator: "li", apps: ["app_2"], action: "refund.request", from: 0 }, ["c"]],
    ] as const)("searches by %s", async (_, criteria, expected) => {
      const at = (index: number) => FIXTURE_TIME + index;
      const refund = { operator: "li", action: "refund.request" } as const;
      for (const entry of [
        anAuditEntry({ reason: "a", at: at(0) }),
        anAuditEntry({ ...refund, reason: "b", at: at(1), appId: "app_1", subject: "order:app_1/biz-1" }),
        anAuditEntry({ ...refund, reason: "c", at: at(2), appId: "app_2", outcome: "refused", subject: "" }),
        anAuditEntry({ reason: "d", at: at(3) }),
      ])
        await expectOk(log().append(entry));
      const found = await expectOk(log().search({ ...criteria, limit: 10 }));
      expect(found.map(({ reason }) => reason).toReversed()).toEqual(expected);
    });
  });
}
