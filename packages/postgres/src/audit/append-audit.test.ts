import {
  anAccount,
  anApp,
  anAuditEntry,
  anOperatorAccount,
  CONCURRENT_CALLERS,
  expectFailure,
  expectOk,
  race,
} from "@tillkit/contract-tests";
import type { Stores } from "@tillkit/core";
import { checkAuditLog } from "@tillkit/core/operators";
import type { AuditEntry, BegunChange } from "@tillkit/core/ports";
import { nodeDigest } from "@tillkit/runtime";
import type { ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import type { SqlClient, SqlQueries, SqlStatement } from "../sql/sql-client.js";
import { KEY, serverSchema } from "../testing/databases.js";

/** Replaces the statements of a client, or throws to fail them. */
function replacing(sql: SqlClient, replace: (statement: SqlStatement) => SqlStatement): SqlClient {
  const within = (queries: SqlQueries): SqlQueries => ({
    query: async (statement, values) => queries.query(replace(statement), values),
    script: (text) => queries.script(text),
  });
  return {
    ...within(sql),
    transaction: (work, options) => sql.transaction((queries) => work(within(queries)), options),
    close: () => sql.close(),
  };
}

async function openStores(replace: (statement: SqlStatement) => SqlStatement, distributed = false) {
  const { sql, schema } = await serverSchema();
  const storesOver = (client: SqlClient) =>
    postgresStores({ sql: client, schema, credentialKeys: [KEY], distributed });
  return { stores: storesOver(sql), replacedStores: storesOver(replacing(sql, replace)) };
}

const APP = anApp();
const ACCOUNT = anAccount({ appId: APP.appId });

type Change = (stores: Stores, audit: AuditEntry) => ResultAsync<unknown, { readonly name: string }>;
const CHANGES: Readonly<Record<string, Change>> = {
  "apps.insertOnce": ({ apps }, audit) => apps.insertOnce(APP, audit),
  "payTools.put": ({ payTools }, audit) => payTools.put(ACCOUNT, audit),
  "operators.insertOnce": ({ operators }, audit) => operators.insertOnce(anOperatorAccount(), audit),
};

describe.each([
  ["one server", false, "audit_append"],
  ["a cluster", true, "audit_insert"],
] as const)("the audit log on %s", (_where, distributed, inserting) => {
  it.each(Object.entries(CHANGES))("%s changes nothing if the entry cannot be stored", async (_, change) => {
    const { stores, replacedStores } = await openStores((statement) => {
      if (statement.name.startsWith(inserting)) throw new Error("The connection was lost.");
      return statement;
    }, distributed);
    const failure = await expectFailure(change(replacedStores, anAuditEntry()));
    expect(failure).toMatchObject({ name: "storage.unavailable" });
    expect(await expectOk(stores.apps.list())).toEqual([]);
    expect(await expectOk(stores.payTools.listAll())).toEqual([]);
    expect(await expectOk(stores.operators.list())).toEqual([]);
    expect(await expectOk(stores.auditLog.read(0, 10))).toEqual([]);
  });

  it("forms one chain even without the lock, which several coordinators do not share", async () => {
    const unlocked = { name: "audit_unlocked", text: "select true as locked" };
    const { replacedStores } = await openStores(
      (statement) => (statement.name.startsWith("audit_lock") ? unlocked : statement),
      distributed,
    );
    await race(CONCURRENT_CALLERS, () => replacedStores.auditLog.append(anAuditEntry()));
    const digest = nodeDigest({ peppers: [KEY] });
    const checked = await expectOk(checkAuditLog({ auditLog: replacedStores.auditLog, digest }));
    expect(checked).toMatchObject({ intactUpTo: { seq: CONCURRENT_CALLERS } });
    expect(checked.brokenAt).toBeUndefined();
  });

  it("records abandoned changes even if a change began again while its late outcome was stored", async () => {
    const { sql, schema } = await serverSchema();
    const storesOver = (client: SqlClient) =>
      postgresStores({ sql: client, schema, credentialKeys: [KEY], distributed });
    const { auditLog } = storesOver(sql);
    const [late, other] = [aBegunChange("late-change-00001", 100), aBegunChange("other-change-0001", 400)];
    await expectOk(auditLog.begin(late, 0));
    expect(await expectOk(auditLog.recordAbandoned(200, 200, 10))).toBe(1);
    const outcome = { ...anAuditEntry(), change: late.draft.change };
    // The late outcome is stored before the new beginning of the change commits.
    const slow: SqlClient = {
      ...sql,
      transaction: (work, options) =>
        sql.transaction(async (queries) => {
          const result = await work(queries);
          await expectOk(auditLog.append(outcome));
          return result;
        }, options),
    };
    const beginning = await expectOk(storesOver(slow).auditLog.begin({ ...late, leaseUntil: 300 }, 200));
    expect(beginning).toEqual({ kind: "begun" });
    await expectFailure(auditLog.append(outcome));
    await expectOk(auditLog.begin(other, 250));
    expect(await expectOk(auditLog.recordAbandoned(1_000, 1_000, 10))).toBe(1);
  });
});

function aBegunChange(id: string, leaseUntil: number): BegunChange {
  const { outcome: _none, ...draft } = anAuditEntry();
  return { draft: { ...draft, change: { id, digest: "digest" } }, leaseUntil };
}
