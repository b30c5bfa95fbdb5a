import {
  type AuditEntry,
  type AuditLog,
  type AuditPosition,
  auditHash,
  type BegunChange,
} from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { CONCURRENT_CALLERS, FIXTURE_TIME, sha256, UNUSUAL_TEXT } from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";
import { anAuditEntry } from "../../../support/operator-fixtures.js";

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
      expect(await expectOk(log().search({ limit: 10 }))).toEqual({ items: [event] });
    });

    it("chains each entry to the entry before", async () => {
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
      const first = await expectOk(log().search({ limit: 2 }));
      expect(reasons(first.items)).toEqual(["d", "c"]);
      const second = await expectOk(log().search({ before: first.next, limit: 2 }));
      expect(reasons(second.items)).toEqual(["b", "a"]);
      expect(second).not.toHaveProperty("next");
    });

    describe("a change", () => {
      const CHANGE = { id: "change-0123456789", digest: "digest 1" };
      const LEASE_END = FIXTURE_TIME + 1_000;
      const aBegunChange = (changes: Partial<AuditEntry> = {}, leaseUntil = LEASE_END): BegunChange => {
        const { outcome: _none, change = CHANGE, ...draft } = anAuditEntry(changes);
        return { draft: { ...draft, change }, leaseUntil };
      };
      const begin = async (change = aBegunChange(), now = FIXTURE_TIME) =>
        (await expectOk(log().begin(change, now))).kind;
      const append = (outcome: AuditEntry["outcome"], changes: Partial<AuditEntry> = {}) =>
        log().append(anAuditEntry({ outcome, change: CHANGE, ...changes }));
      const state = async (operator = "han") => {
        const known = await expectOk(log().findChange(operator, CHANGE.id));
        return known?.kind === "recorded" ? known.outcome.outcome : known?.kind;
      };
      const count = async () => (await expectOk(log().read(0, 100))).length;

      it("is kept exactly as it was begun, until its entry is appended", async () => {
        const begun = aBegunChange({ appId: "app_1", detail: '{"amount":250}', reason: UNUSUAL_TEXT });
        expect(await expectOk(log().findChange("han", CHANGE.id))).toBeUndefined();
        expect(await begin(begun)).toBe("begun");
        const kept = await expectOk(log().findChange("han", CHANGE.id));
        expect(kept).toEqual({ kind: "running", change: begun });
        const event = await expectOk(append("done"));
        expect(event.change).toEqual(CHANGE);
        expect(await expectOk(log().findChange("han", CHANGE.id))).toEqual({
          kind: "recorded",
          outcome: event,
        });
        expect(await expectOk(log().read(0, 10))).toEqual([event]);
      });

      it("begins once for concurrent calls", async () => {
        const kinds = await race(CONCURRENT_CALLERS, () => log().begin(aBegunChange(), FIXTURE_TIME));
        expect(kinds.filter(({ kind }) => kind === "begun")).toHaveLength(1);
        expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(["begun", "running"]));
      });

      it("begins again after its lease, for the same digest only", async () => {
        await begin();
        expect(await begin(aBegunChange(), LEASE_END - 1)).toBe("running");
        const other = aBegunChange({ change: { ...CHANGE, digest: "digest 2" } });
        expect(await begin(other, LEASE_END)).toBe("running");
        const next = aBegunChange({}, LEASE_END + 1_000);
        expect(await begin(next, LEASE_END)).toBe("begun");
        expect(await begin(next, LEASE_END)).toBe("running");
      });

      it.each(["done", "refused", "failed"] as const)(
        "does not begin again once it is %s",
        async (outcome) => {
          await begin();
          await expectOk(append(outcome));
          expect(await begin(aBegunChange(), LEASE_END)).toBe("recorded");
          expect(await state()).toBe(outcome);
        },
      );

      it("begins again while its outcome is unknown, for the same digest only", async () => {
        await begin();
        await expectOk(append("unknown"));
        expect(await state()).toBe("unknown");
        expect(await begin(aBegunChange({ change: { ...CHANGE, digest: "digest 2" } }))).toBe("recorded");
        expect(await begin()).toBe("begun");
        expect(await state()).toBe("running");
        await expectOk(append("done"));
        expect(await state()).toBe("done");
      });

      it("belongs to one operator", async () => {
        await begin();
        await expectOk(append("done"));
        expect(await state("li")).toBeUndefined();
        expect(await begin(aBegunChange({ operator: "li" }))).toBe("begun");
        await expectOk(append("failed", { operator: "li" }));
        expect([await state(), await state("li")]).toEqual(["done", "failed"]);
      });

      it("has one outcome, also after concurrent appends", async () => {
        const appended = await Promise.all(
          Array.from({ length: CONCURRENT_CALLERS }, (_, caller) => append("done", { reason: `${caller}` })),
        );
        expect(appended.filter((result) => result.isOk())).toHaveLength(1);
        for (const outcome of ["done", "failed", "unknown"] as const)
          expect((await append(outcome)).isErr()).toBe(true);
        expect(await count()).toBe(1);
      });

      it("can be withdrawn without an entry", async () => {
        await begin();
        await expectOk(log().withdraw("han", CHANGE.id));
        expect(await state()).toBeUndefined();
        expect(await begin()).toBe("begun");
        expect(await count()).toBe(0);
      });

      it("is recorded as unknown, once, if it is not ended", async () => {
        await begin();
        await begin(aBegunChange({ operator: "li" }, LEASE_END + 1));
        const at = LEASE_END + 5_000;
        expect(await expectOk(log().recordAbandoned(LEASE_END - 1, at, 10))).toBe(0);
        const counts = await race(CONCURRENT_CALLERS, () => log().recordAbandoned(LEASE_END, at, 10));
        expect(counts.reduce((sum, one) => sum + one, 0)).toBe(1);
        const [event] = await expectOk(log().read(0, 10));
        expect(event).toMatchObject({ ...anAuditEntry(), at, outcome: "unknown", change: CHANGE });
        expect([await state(), await state("li"), await count()]).toEqual(["unknown", "running", 1]);
      });

      it("stores its outcome after it was recorded as unknown, and then no other", async () => {
        await begin();
        expect(await expectOk(log().recordAbandoned(LEASE_END, LEASE_END + 5_000, 10))).toBe(1);
        await expectOk(append("done"));
        expect([await state(), await count()]).toEqual(["done", 2]);
        expect((await append("failed")).isErr()).toBe(true);
      });

      it("is recorded as unknown up to a limit per call", async () => {
        for (const operator of ["a", "b", "c"]) await begin(aBegunChange({ operator }));
        expect(await expectOk(log().recordAbandoned(LEASE_END, LEASE_END, 2))).toBe(2);
        expect(await expectOk(log().recordAbandoned(LEASE_END, LEASE_END, 2))).toBe(1);
        expect(await count()).toBe(3);
      });
    });

    it.each([
      ["operator", { operator: "han" }, ["a", "d"]],
      ["action", { action: "refund.request" }, ["b", "c"]],
      ["outcome", { outcome: "refused" }, ["c"]],
      ["one app", { apps: ["app_1"] }, ["b"]],
      ["several apps", { apps: ["app_1", "app_2"] }, ["b", "c"]],
      ["no app", { apps: [] }, []],
      ["subject", { subject: "order:app_1/biz-1" }, ["b"]],
      ["the number in a subject", { subject: "biz-1" }, ["b"]],
      ["a number with the separators of a subject", { subject: "biz:2/x" }, ["e"]],
      ["the name in a subject", { subject: "kim" }, ["f"]],
      ["a subject without a type", { subject: "orders" }, ["g"]],
      ["a part of a number", { subject: "biz" }, []],
      ["time", { from: FIXTURE_TIME + 1, until: FIXTURE_TIME + 3 }, ["b", "c"]],
      ["everything at once", { operator: "li", apps: ["app_2"], action: "refund.request", from: 0 }, ["c"]],
    ] as const)("searches by %s", async (_, criteria, expected) => {
      const at = (index: number) => FIXTURE_TIME + index;
      const refund = { operator: "li", action: "refund.request" } as const;
      const other = { operator: "zoe", action: "order.sync" } as const;
      for (const entry of [
        anAuditEntry({ reason: "a", at: at(0) }),
        anAuditEntry({ ...refund, reason: "b", at: at(1), appId: "app_1", subject: "order:app_1/biz-1" }),
        anAuditEntry({ ...refund, reason: "c", at: at(2), appId: "app_2", outcome: "refused", subject: "" }),
        anAuditEntry({ reason: "d", at: at(3) }),
        anAuditEntry({ ...other, reason: "e", at: at(4), subject: "order:app_9/biz:2/x" }),
        anAuditEntry({ ...other, reason: "f", at: at(5), subject: "operator:kim" }),
        anAuditEntry({ ...other, reason: "g", at: at(6), subject: "orders" }),
      ])
        await expectOk(log().append(entry));
      const found = await expectOk(log().search({ ...criteria, limit: 10 }));
      expect(found.items.map(({ reason }) => reason).toReversed()).toEqual(expected);
    });

    it.each([
      {},
      { operator: "han" },
      { action: "order.sync" },
      { outcome: "refused" },
      { apps: ["app_1", "app_2"] },
      { subject: "biz-1" },
      { from: FIXTURE_TIME },
    ] as const)("returns each entry of %j on one page, newest first", async (criteria) => {
      // The clock of another host may be behind.
      for (const [nth, at] of [3, 1, 1, 2, 1].entries())
        await expectOk(
          log().append(
            anAuditEntry({
              operator: "han",
              action: "order.sync",
              outcome: "refused",
              subject: "order:app_1/biz-1",
              appId: nth % 2 === 0 ? "app_1" : "app_2",
              at: FIXTURE_TIME + at,
            }),
          ),
        );
      const found: number[] = [];
      let before: AuditPosition | undefined;
      do {
        const page = await expectOk(log().search({ ...criteria, before, limit: 1 }));
        found.push(...page.items.map(({ seq }) => seq));
        before = page.next;
      } while (before !== undefined);
      expect(found).toEqual([1, 4, 5, 3, 2]);
    });
  });
}
