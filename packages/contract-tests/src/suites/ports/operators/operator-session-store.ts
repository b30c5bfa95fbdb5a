import type { Stores } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { aHash, CONCURRENT_CALLERS, FIXTURE_TIME } from "../../../support/fixtures.js";
import { expectOk, type Opened, openBeforeEach, race } from "../../../support/open-before-each.js";
import { anAuditEntry, anOperatorAccount, anOperatorSession } from "../../../support/operator-fixtures.js";

const audit = anAuditEntry({ action: "session.open" });

/** Tests every requirement of `OperatorSessionStore`. `open` returns empty stores for each test. */
export function operatorSessionStoreContract(adapter: string, open: () => Promise<Opened<Stores>>): void {
  describe(`OperatorSessionStore contract: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    const sessions = () => stores().operatorSessions;
    const make = async () =>
      (await expectOk(stores().operators.insertOnce(anOperatorAccount(), anAuditEntry()))).account;
    const audited = async () => (await expectOk(stores().auditLog.read(0, 1_000))).length;

    it("stores the session exactly as given, and finds it with its account", async () => {
      const account = await make();
      const session = anOperatorSession({ complete: false });
      expect(await expectOk(sessions().open(session, audit))).toBe(true);
      expect(await expectOk(sessions().find(session.tokenHash))).toEqual({ session, account });
      expect(await expectOk(sessions().find(aHash("none")))).toBeUndefined();
    });

    it("opens no session without an account", async () => {
      expect(await expectOk(sessions().open(anOperatorSession(), audit))).toBe(false);
      expect(await audited()).toBe(0);
    });

    it("replaces a session once, also for concurrent calls", async () => {
      await make();
      await expectOk(sessions().open(anOperatorSession({ tokenHash: aHash("first") }), audit));
      const before = await audited();
      const opened = await race(CONCURRENT_CALLERS, (caller) =>
        sessions().open(anOperatorSession({ tokenHash: aHash(`next ${caller}`) }), audit, aHash("first")),
      );
      expect(opened.filter((one) => one)).toHaveLength(1);
      expect(await expectOk(sessions().find(aHash("first")))).toBeUndefined();
      expect(await audited()).toBe(before + 1);
    });

    it("moves the time of the last use only forward", async () => {
      await make();
      const { tokenHash } = anOperatorSession();
      await expectOk(sessions().open(anOperatorSession(), audit));
      for (const at of [FIXTURE_TIME + 5, FIXTURE_TIME + 3]) await expectOk(sessions().touch(tokenHash, at));
      const found = await expectOk(sessions().find(tokenHash));
      expect(found?.session.lastSeenAt).toBe(FIXTURE_TIME + 5);
    });

    it("ends a session once", async () => {
      await make();
      const { tokenHash } = anOperatorSession();
      await expectOk(sessions().open(anOperatorSession(), audit));
      const before = await audited();
      const closed = await race(CONCURRENT_CALLERS, () => sessions().close(tokenHash, audit));
      expect(closed.filter((one) => one)).toHaveLength(1);
      expect(await expectOk(sessions().find(tokenHash))).toBeUndefined();
      expect(await audited()).toBe(before + 1);
    });

    it("removes only expired sessions, at most the limit", async () => {
      await make();
      for (const nth of [1, 2, 3, 4])
        await expectOk(
          sessions().open(
            anOperatorSession({ tokenHash: aHash(`${nth}`), expiresAt: FIXTURE_TIME + nth }),
            audit,
          ),
        );
      expect(await expectOk(sessions().removeExpired(FIXTURE_TIME + 4, 2))).toBe(2);
      expect(await expectOk(sessions().removeExpired(FIXTURE_TIME + 4, 2))).toBe(1);
      expect(await expectOk(sessions().removeExpired(FIXTURE_TIME + 4, 2))).toBe(0);
      expect(await expectOk(sessions().find(aHash("4")))).toBeDefined();
    });
  });
}
