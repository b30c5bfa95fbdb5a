import {
  aCode,
  aKeyedHash,
  aSession,
  FIXTURE_TIME,
  DAY,
  expectOk,
  MINUTE,
  race,
  unique,
  tryLimits,
} from "@tillkit/contract-tests";
import type { QuotaKey, QuotaTake, Stores } from "@tillkit/core";
import { errorCode } from "@tillkit/core/errors";
import type { AuthCode, Session } from "@tillkit/core/ports";
import { beforeEach, describe, expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { KEY } from "../testing/databases.js";
import { withBlockedStatement, untilLockWaiters } from "../testing/blocked-statement.js";
import { type RecordedStores, recordedStores } from "../testing/recorded-stores.js";

let sql: SqlClient;
let schema: string;
let stores: Stores;
let ran: RecordedStores["ran"];
beforeEach(async () => {
  ({ sql, schema, stores, ran } = await recordedStores());
});

const TODAY = "2026-01-15";

const addAll = (codes: readonly AuthCode[]) =>
  Promise.all(codes.map((code) => expectOk(stores.codes.add(code, tryLimits()))));
const attempts = (codes: readonly AuthCode[], { now = FIXTURE_TIME, maxTries = 2 } = {}) =>
  Promise.all(
    codes.map((code) => expectOk(stores.codes.attempt(code, tryLimits({ now, perCode: maxTries })))),
  );
const wrongly = (code: AuthCode): AuthCode => ({ ...code, codeHash: aKeyedHash() });

const aKey = (changes: Partial<QuotaKey> = {}): QuotaKey => ({
  scope: "wrong-codes-app",
  subject: unique("s-"),
  ...changes,
});
const take = (key: QuotaKey, changes: Partial<QuotaTake> = {}) =>
  expectOk(stores.quotas.take(key, { day: TODAY, limit: 5, now: FIXTURE_TIME, spacing: 0, ...changes }));
const giveBack = (key: QuotaKey) => expectOk(stores.quotas.giveBack(key, TODAY));

/** Creates a session of a new customer, unless `changes` names a customer. */
const aLogin = (changes: Partial<Session> = {}): Session =>
  aSession({ customerId: unique("customer-"), ...changes });
const openAll = (sessions: readonly Session[], maxLive: number) =>
  Promise.all(sessions.map((session) => expectOk(stores.sessions.open(session, maxLive))));
const areLive = (sessions: readonly Session[]) =>
  race(sessions.length, (n) => stores.sessions.use(sessions[n] ?? aSession(), FIXTURE_TIME));

describe("calls of one turn share a statement, and a single call has its own:", () => {
  it("codes.add", async () => {
    const [first, second] = [aCode(), aCode()];
    await addAll([first]);
    expect(ran()).toEqual(["code_add"]);
    await attempts([wrongly(first)]);
    ran();
    const next = { ...first, codeHash: aKeyedHash(), expiresAt: first.expiresAt + MINUTE };
    await addAll([second, next]);
    expect(ran()).toEqual(["code_add_batched"]);
    expect(await attempts([first, second])).toEqual(["matched", "matched"]);
    await addAll([next, second]);
    for (const _ of [1, 2]) expect(await attempts([wrongly(next)])).toEqual(["wrong"]);
    expect(await attempts([next])).toEqual(["exhausted"]);
    await addAll([next, second]);
    expect(await attempts([next, second], { now: next.expiresAt - 1 })).toEqual(["matched", "none"]);
  });

  it("codes.attempt", async () => {
    const [right, other, used, absent] = [aCode(), aCode(), aCode(), aCode()];
    await addAll([right, other, used]);
    for (const _ of [1, 2]) await attempts([wrongly(used)]);
    ran();
    expect(await attempts([wrongly(other)])).toEqual(["wrong"]);
    expect(ran()).toEqual(["code_attempt"]);
    const asked = [used, wrongly(other), right, absent];
    expect(await attempts(asked)).toEqual(["exhausted", "wrong", "matched", "none"]);
    expect(ran()).toEqual(["code_attempt_batched", "code_attempt"]);
    expect(await attempts([right, other])).toEqual(["none", "exhausted"]);
  });

  it("codes.attempt for a code that is no longer valid", async () => {
    const [over, lasting] = [aCode({ expiresAt: FIXTURE_TIME }), aCode({ expiresAt: FIXTURE_TIME + 1 })];
    await addAll([over, lasting]);
    ran();
    expect(await attempts([over, lasting])).toEqual(["none", "matched"]);
    expect(ran()).toEqual(["code_attempt_batched"]);
  });

  it("quotas.take", async () => {
    const [first, second] = [aKey(), aKey()];
    expect(await take(first)).toEqual({ granted: true, used: 1 });
    expect(ran()).toEqual(["quota_take"]);
    const asked = [first, second, first, { ...first, scope: "sms" } as const, first];
    const grants = await Promise.all(asked.map((key) => take(key)));
    expect(grants.map(({ granted }) => granted)).toEqual(asked.map(() => true));
    const used = [0, 2, 4].map((place) => grants[place]?.used);
    expect(used.toSorted()).toEqual([2, 3, 4]);
    expect([grants[1]?.used, grants[3]?.used]).toEqual([1, 1]);
    expect(ran()).toEqual(["quota_take_batched"]);
    expect(await take(first)).toEqual({ granted: true, used: 5 });
  });

  it("quotas.take, never above the limit of the caller", async () => {
    const [first, second] = [aKey(), aKey()];
    await take(first);
    ran();
    const [, other, lowest] = await Promise.all([
      take(first, { limit: 3 }),
      take(second),
      take(first, { limit: 2 }),
    ]);
    expect(ran()[0]).toBe("quota_take_batched");
    expect(other).toEqual({ granted: true, used: 1 });
    expect(lowest.granted && lowest.used > 2).toBe(false);
    expect(await Promise.all([take(second, { limit: 0 }), take(aKey(), { limit: 0 })])).toEqual([
      { granted: false, used: 1 },
      { granted: false, used: 0 },
    ]);
  });

  it("quotas.take, never above a limit that only some calls of the batch reach", async () => {
    const [known, fresh, other] = [aKey(), aKey(), aKey()];
    await take(known);
    ran();
    const asked = [known, fresh, known, fresh, other, fresh, known];
    const grants = await Promise.all(asked.map((key) => take(key, { limit: key === fresh ? 2 : 3 })));
    expect(ran()[0]).toBe("quota_take_batched");
    const grantedOf = (of: QuotaKey) => grants.filter(({ granted }, n) => granted && asked[n] === of).length;
    expect([known, fresh, other].map(grantedOf)).toEqual([2, 2, 1]);
    expect(await take(known, { limit: 3 })).toEqual({ granted: false, used: 3 });
    expect(await take(fresh, { limit: 2 })).toEqual({ granted: false, used: 2 });
  });

  it("quotas.giveBack, and keeps the spacing", async () => {
    const [first, second, spaced, untaken] = [aKey(), aKey(), aKey(), aKey()];
    for (const key of [first, second]) await take(key);
    for (const day of [TODAY, "2026-01-16"])
      await take(spaced, { day, spacing: MINUTE, now: FIXTURE_TIME - DAY });
    await take(spaced, { spacing: MINUTE });
    ran();
    await giveBack(first);
    expect(ran()).toEqual(["quota_give_back"]);
    await take(first);
    ran();
    await Promise.all([first, second, spaced, untaken].map(giveBack));
    // No unit of `untaken` is used, so the batch has no row for it.
    expect(ran()).toEqual(["quota_give_back_batched", "quota_give_back"]);
    await Promise.all([first, second].map(giveBack));
    for (const key of [first, second, untaken])
      expect(await take(key, { limit: 1 })).toEqual({ granted: true, used: 1 });
    const tooSoon = { granted: false, used: 1, retryAt: FIXTURE_TIME + MINUTE };
    expect(await take(spaced, { spacing: MINUTE, now: FIXTURE_TIME + 1 })).toEqual(tooSoon);
  });

  it("sessions.identify", async () => {
    const [known, fresh] = [aKeyedHash(), aKeyedHash()];
    const identify = (hash: string, candidate: string, appId = "app_1") =>
      expectOk(stores.sessions.identify(appId, [hash], candidate, FIXTURE_TIME));
    expect(await identify(known, "customer-a")).toBe("customer-a");
    expect(ran()).toEqual(["customer_identify"]);
    const asked = [
      identify(fresh, "customer-b"),
      identify(known, "customer-c"),
      identify(known, "customer-d", "app_2"),
    ];
    expect(await Promise.all(asked)).toEqual(["customer-b", "customer-a", "customer-d"]);
    expect(ran()).toEqual(["customer_identify_batched"]);
    expect(await identify(fresh, "customer-e")).toBe("customer-b");
  });

  it("sessions.open", async () => {
    const { customerId } = aLogin();
    const old = [30, 10, 20].map((age) => aLogin({ customerId, gmtCreate: FIXTURE_TIME + age }));
    for (const session of old) await openAll([session], 3);
    expect(ran()).toEqual(["session_open", "session_open", "session_open"]);
    const [next, other] = [aLogin({ customerId, gmtCreate: FIXTURE_TIME + 40 }), aLogin()];
    expect(await openAll([next, other], 2)).toEqual([[old[1], old[2]], []]);
    expect(ran()).toEqual(["session_open_batched"]);
    expect(await areLive([...old, next, other])).toEqual([true, false, false, true, true]);
    const [last, again] = [
      aLogin({ customerId, gmtCreate: FIXTURE_TIME + 50 }),
      { ...other, tokenHash: old[0]?.tokenHash ?? "" },
    ];
    expect(await openAll([again, last], 1)).toEqual([[other], [old[0], next]]);
    expect(await areLive([again, last, next, other])).toEqual([true, true, false, false]);
  });
});

it("a batch counts the attempts of a code that another call tried during the statement", async () => {
  const [first, second] = [aCode(), aCode()];
  await addAll([first, second]);
  ran();
  const outcomes = await withBlockedStatement(
    sql,
    { schema, table: tablesOf(schema).auth_codes, column: "phone_hash", value: first.phoneHash },
    () => attempts([wrongly(first), wrongly(second)]),
    () => attempts([wrongly(second)]),
  );
  expect(outcomes).toEqual(["wrong", "wrong"]);
  expect(ran()).toEqual(["code_attempt_batched", "code_attempt", "code_attempt"]);
  expect(await attempts([second])).toEqual(["exhausted"]);
});

it("a batch consumes a code that another call tried during the statement", async () => {
  const [first, second] = [aCode(), aCode()];
  await addAll([first, second]);
  const outcomes = await withBlockedStatement(
    sql,
    { schema, table: tablesOf(schema).auth_codes, column: "phone_hash", value: first.phoneHash },
    () => attempts([wrongly(first), second]),
    () => attempts([wrongly(second)]),
  );
  expect(outcomes).toEqual(["wrong", "matched"]);
  expect(await attempts([second])).toEqual(["none"]);
});

it("a batch counts the session of another login during the statement", async () => {
  const [first, second] = [aLogin(), aLogin()];
  for (const session of [first, second]) await openAll([session], 1);
  const later = (session: Session, age: number): Session =>
    aLogin({ customerId: session.customerId, gmtCreate: FIXTURE_TIME + age });
  const [meanwhile, last] = [later(second, 1), later(second, 2)];
  ran();
  const ended = await withBlockedStatement(
    sql,
    { schema, table: tablesOf(schema).session_owners, column: "customer_id", value: first.customerId },
    () => openAll([later(first, 2), last], 1),
    () => openAll([meanwhile], 1),
  );
  expect(ended).toEqual([[first], [meanwhile]]);
  expect(ran()).toEqual(["session_open_batched", "session_open", "session_open"]);
  expect(await areLive([second, meanwhile, last])).toEqual([false, false, true]);
});

it("two concurrent batches of logins never deadlock", async () => {
  const undone: unknown[] = [];
  // This client reports a deadlock, where the usual client would run the statement again.
  const telling: SqlClient = {
    ...sql,
    query: (one, values) =>
      sql
        .transaction((queries) => queries.query(one, values), { once: true })
        .catch((error: unknown) => {
          undone.push(errorCode(error));
          throw error;
        }),
  };
  const hosts = [1, 2].map(() => postgresStores({ sql: telling, schema, credentialKeys: [KEY] }));
  const openAt = (host: number, customers: readonly string[]) =>
    race(customers.length, (n) =>
      (hosts[host] ?? stores).sessions.open(aSession({ customerId: customers[n] ?? "" }), 5),
    );
  const { session_owners: table } = tablesOf(schema);
  // The first batch has inserted `a` when `c` logs in elsewhere. The second batch finds `c` and
  // would insert `a`.
  let second: Promise<unknown> | undefined;
  const first = await withBlockedStatement(
    sql,
    { schema, table, column: "customer_id", value: "b" },
    () => openAt(0, ["a", "b", "c"]),
    async () => {
      await openAll([aLogin({ customerId: "c" })], 5);
      second = openAt(1, ["a", "c"]);
      await untilLockWaiters(sql, table, 2);
    },
  );
  expect(first).toEqual([[], [], []]);
  expect(await second).toEqual([[], []]);
  expect(undone).toEqual([]);
});

it("a locked customer row blocks only logins of this customer", async () => {
  const [locked, free] = [aLogin(), aLogin()];
  for (const session of [locked, free]) await openAll([session], 5);
  const { session_owners: owners } = tablesOf(schema);
  const { calls } = await sql.transaction(async (holder) => {
    const hold = statement("test_hold", `select from ${owners} where customer_id = $1 for update`);
    await holder.query(hold, [locked.customerId]);
    const again = [locked, free].map(({ customerId }) => aLogin({ customerId }));
    const calls = again.map((session) => expectOk(stores.sessions.open(session, 1)));
    expect(await calls[1]).toEqual([free]);
    return { calls };
  });
  expect(await calls[0]).toEqual([locked]);
});
