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
import type { AuditEntry } from "@tillkit/core/ports";
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

async function openStores(replace: (statement: SqlStatement) => SqlStatement) {
  const { sql, schema } = await serverSchema();
  const storesOver = (client: SqlClient) => postgresStores({ sql: client, schema, credentialKeys: [KEY] });
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

describe("a change with an audit entry", () => {
  it.each(Object.entries(CHANGES))("%s changes nothing if the entry cannot be stored", async (_, change) => {
    const { stores, replacedStores } = await openStores((statement) => {
      if (statement.name.startsWith("audit_append")) throw new Error("The connection was lost.");
      return statement;
    });
    const failure = await expectFailure(change(replacedStores, anAuditEntry()));
    expect(failure).toMatchObject({ name: "storage.unavailable" });
    expect(await expectOk(stores.apps.list())).toEqual([]);
    expect(await expectOk(stores.payTools.listAll())).toEqual([]);
    expect(await expectOk(stores.operators.list())).toEqual([]);
    expect(await expectOk(stores.auditLog.read(0, 10))).toEqual([]);
  });
});

it("forms one chain even without the lock, which several coordinators do not share", async () => {
  const unlocked = { name: "audit_unlocked", text: "select true as locked" };
  const { replacedStores } = await openStores((statement) =>
    statement.name.startsWith("audit_lock") ? unlocked : statement,
  );
  await race(CONCURRENT_CALLERS, () => replacedStores.auditLog.append(anAuditEntry()));
  const digest = nodeDigest({ peppers: [KEY] });
  const checked = await expectOk(checkAuditLog({ auditLog: replacedStores.auditLog, digest }));
  expect(checked).toMatchObject({ intactUpTo: { seq: CONCURRENT_CALLERS } });
  expect(checked.brokenAt).toBeUndefined();
});
