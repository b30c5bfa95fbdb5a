import { aSession, expectOk, FIXTURE_TIME, unique } from "@tillkit/contract-tests";
import type { Stores } from "@tillkit/core";
import type { Session } from "@tillkit/core/ports";
import { beforeEach, expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import type { SqlClient, SqlQueries, SqlStatement } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { untilLockWaiters } from "../testing/blocked-statement.js";
import { KEY, serverSchema } from "../testing/databases.js";

// One statement locks the customers of a batch and lists their sessions. These tests pause it after
// it took its snapshot and before it locks rows.

const GATE = "select pg_advisory_xact_lock(hashtext('cluster-logins'))";

let sql: SqlClient;
let schema: string;
/** A host whose batches of logins pause while another transaction holds the gate. */
let paused: Stores;
let other: Stores;
beforeEach(async () => {
  ({ sql, schema } = await serverSchema());
  const options = { schema, credentialKeys: [KEY], distributed: true } as const;
  paused = postgresStores({ sql: withGate(sql), ...options });
  other = postgresStores({ sql, ...options });
});

function withGate(client: SqlClient): SqlClient {
  const gated = (queries: SqlQueries): SqlQueries => ({
    ...queries,
    query: (asked, values) => queries.query(gatedStatement(asked), values),
  });
  return {
    ...client,
    transaction: (work, options) => client.transaction((queries) => work(gated(queries)), options),
  };
}

function gatedStatement(asked: SqlStatement): SqlStatement {
  if (!asked.name.startsWith("session_lock_and_list")) return asked;
  const lock = /\s+order by customer_id, app_id for update/u;
  expect(asked.text).toMatch(lock);
  return statement(
    "gated",
    asked.text.replace(lock, (found) => ` and (${GATE}) is not null${found}`),
  );
}

/**
 * Opens `session` in a batch, and runs `meanwhile` between the snapshot and the lock of the batch.
 */
async function openDuring(session: Session, meanwhile: () => Promise<void>): Promise<readonly Session[]> {
  // The transaction returns the promises in an object. Otherwise its commit would wait for them.
  const { opened } = await sql.transaction(async (holder) => {
    await holder.query(statement("hold_gate", GATE), []);
    // With a second login, the store opens the sessions in a batch.
    const logins = [session, aSession({ customerId: unique("customer-") })];
    const opened = logins.map((one) => expectOk(paused.sessions.open(one, 1)));
    await untilLockWaiters(sql, tablesOf(schema).session_owners, 1);
    await meanwhile();
    return { opened };
  });
  const [evicted = []] = await Promise.all(opened);
  return evicted;
}

const live = (sessions: readonly Session[]) =>
  Promise.all(sessions.map((session) => expectOk(other.sessions.use(session, FIXTURE_TIME + 3))));

it("a login of a batch also ends the session of a login after its snapshot", async () => {
  const customerId = unique("customer-");
  const [first, second, third] = [0, 1, 2].map((n) => aSession({ customerId, gmtCreate: FIXTURE_TIME + n }));
  if (first === undefined || second === undefined || third === undefined) throw new Error("No session.");
  await expectOk(other.sessions.open(first, 1));
  const evicted = await openDuring(third, async () => {
    expect(await expectOk(other.sessions.open(second, 1))).toEqual([first]);
  });
  expect(evicted).toEqual([second]);
  expect(await live([first, second, third])).toEqual([false, false, true]);
});

it("a login of a batch does not report a session that was revoked after its snapshot", async () => {
  const customerId = unique("customer-");
  const first = aSession({ customerId });
  const second = aSession({ customerId, gmtCreate: FIXTURE_TIME + 1 });
  await expectOk(other.sessions.open(first, 1));
  const evicted = await openDuring(second, async () => {
    expect(await expectOk(other.sessions.revoke(first))).toBe(true);
  });
  expect(evicted).toEqual([]);
  expect(await live([first, second])).toEqual([false, true]);
});
