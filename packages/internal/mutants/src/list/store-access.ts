import type { Mutant } from "../mutant.js";
const OPEN_SESSION = "packages/postgres/src/sessions/open-session-evicting-oldest.ts";
const SESSIONS_AT_LOGIN = "packages/core/src/sessions/sessions-at-login.ts";
const APP_STORE = "packages/memory/src/apps/app-store.ts";
const PAY_TOOL_STORE = "packages/memory/src/pay-tools/pay-tool-store.ts";
const CODE_STORE = "packages/memory/src/sessions/code-store.ts";
const SESSION_STORE = "packages/memory/src/sessions/session-store.ts";
const QUOTA_STORE = "packages/memory/src/quotas/quota-store.ts";
const SQL_APP_STORE = "packages/postgres/src/apps/app-store.ts";
const PAY_TOOL_ROW = "packages/postgres/src/pay-tools/pay-tool-row.ts";
const SQL_PAY_TOOL_STORE = "packages/postgres/src/pay-tools/pay-tool-store.ts";
const CREDENTIAL_CIPHER = "packages/postgres/src/credentials/credential-cipher.ts";
const CODE_STATEMENTS = "packages/postgres/src/sessions/code-statements.ts";
const SESSION_STATEMENTS = "packages/postgres/src/sessions/session-statements.ts";
const SQL_SESSION_STORE = "packages/postgres/src/sessions/session-store.ts";
const SQL_QUOTA_STORE = "packages/postgres/src/quotas/quota-store.ts";
const QUOTA_STATEMENTS = "packages/postgres/src/quotas/quota-statements.ts";
const CALL_FORMS = "packages/postgres/src/batching/statement-variants.ts";
const TAKE_UNITS = "packages/postgres/src/quotas/quota-batches.ts";
const NOTHING_ENCRYPTED = "memory writes no credentials to a disk";
const ONE_AT_A_TIME = "memory runs one call after the other";

/** Mutants of the stores of apps, pay tools, codes, sessions and quotas, in memory and in SQL. */
export const STORE_ACCESS: readonly Mutant[] = [
  {
    name: "sql-credentials-open-for-another-app",
    guards: "credentials of one app do not decrypt in another app's row",
    file: PAY_TOOL_ROW,
    find: 'JSON.stringify(["pay-tool", appId, payChannel,',
    replace: 'JSON.stringify(["pay-tool", typeof appId, payChannel,',
    onlyHere: NOTHING_ENCRYPTED,
  },
  {
    name: "sql-credentials-open-for-another-channel",
    guards: "credentials of one channel do not decrypt in another channel's row",
    file: PAY_TOOL_ROW,
    find: 'JSON.stringify(["pay-tool", appId, payChannel,',
    replace: 'JSON.stringify(["pay-tool", appId, typeof payChannel,',
    onlyHere: NOTHING_ENCRYPTED,
  },
  {
    name: "sql-credentials-open-for-another-merchant",
    guards: "credentials of one merchant do not decrypt in another merchant's row",
    file: PAY_TOOL_ROW,
    find: "payChannel, accountId, walletAppId, appEnv]);",
    replace: "payChannel, typeof accountId, walletAppId, appEnv]);",
    onlyHere: NOTHING_ENCRYPTED,
  },
  {
    name: "sql-test-credentials-open-where-money-is-real",
    guards: "DEV credentials do not decrypt in a PROD row",
    file: PAY_TOOL_ROW,
    find: "payChannel, accountId, walletAppId, appEnv]);",
    replace: "payChannel, accountId, walletAppId, typeof appEnv]);",
    onlyHere: NOTHING_ENCRYPTED,
  },
  {
    name: "sql-credentials-sealed-with-one-nonce",
    guards: "no two credentials are encrypted with one nonce",
    file: CREDENTIAL_CIPHER,
    find: "const nonce = randomBytes(NONCE_BYTES);",
    replace: "const nonce = Buffer.alloc(NONCE_BYTES);",
    onlyHere: NOTHING_ENCRYPTED,
  },
  {
    name: "sql-rotation-prolongs-a-secret",
    guards: "a rotation never extends the life of an older secret",
    file: SQL_APP_STORE,
    find: "least((secrets->0->>'expiresAt')::bigint, $4::bigint)",
    replace: "($4::bigint)",
  },
  {
    name: "third-secret-survives",
    guards: "at most two secrets of an app are live",
    file: APP_STORE,
    find: "app.secrets.slice(0, 1).map((previous) => ending(previous, previousEndsAt))",
    replace: "app.secrets.map((previous) => ending(previous, previousEndsAt))",
  },
  {
    name: "sql-third-secret-survives",
    guards: "at most two secrets of an app are live",
    file: SQL_APP_STORE,
    find: "jsonb_set(secrets - 1, ",
    replace: "jsonb_set(secrets, ",
  },
  {
    name: "app-registered-over-another",
    guards: "an appId belongs to one app",
    file: APP_STORE,
    find: "getOrCreate(apps, app.appId, () => {",
    replace: "getOrCreate((apps.delete(app.appId), apps), app.appId, () => {",
    twin: "sql-row-stored-over-another",
  },
  {
    name: "sql-row-stored-over-another",
    guards: "an insert under an existing key returns the existing row",
    file: "packages/postgres/src/batching/insert-once.ts",
    find: "select ${list}, false as inserted from ${table} where ${where} and not exists (select from made)`,",
    replace: "select ${values}, false where not exists (select from made)`,",
    twin: "app-registered-over-another",
  },
  {
    name: "export-repeats-the-last-customer",
    guards: "an export contains every phone hash once",
    file: "packages/memory/src/sessions/session-store.ts",
    find: "after === undefined || byKey(after, customer) < 0",
    replace: "after === undefined || byKey(after, customer) < 1",
    twin: "sql-export-repeats-the-last-customer",
  },
  {
    name: "sql-export-repeats-the-last-customer",
    guards: "an export contains every phone hash once",
    file: "packages/postgres/src/sessions/session-statements.ts",
    find: "where (phone_hash, app_id) > ($1, $2)",
    replace: "where (phone_hash, app_id) >= ($1, $2)",
    twin: "export-repeats-the-last-customer",
  },
  {
    name: "customer-of-a-later-hash",
    guards: "of two phone hashes with different customers, the earlier decides",
    file: "packages/memory/src/sessions/session-store.ts",
    find: "phonesWith(appId, phoneHashes)[0]?.customerId",
    replace: "phonesWith(appId, phoneHashes).at(-1)?.customerId",
    twin: "sql-customer-of-a-later-hash",
  },
  {
    name: "sql-customer-of-a-later-hash",
    guards: "of two phone hashes with different customers, the earlier decides",
    file: "packages/postgres/src/sessions/session-store.ts",
    find: "const [first] = stored;",
    replace: "const first = stored.at(-1);",
    twin: "customer-of-a-later-hash",
  },
  {
    name: "rules-reset-the-others",
    guards: "a change of one identity check keeps the others",
    file: APP_STORE,
    find: "identityChecks: { ...app.identityChecks, ...identityChecks },",
    replace:
      "identityChecks: { email: true, phone: true, card: true, identityCard: true, walletAccount: true, bizNo: true, ...identityChecks },",
    twin: "sql-rules-reset-the-others",
  },
  {
    name: "sql-rules-reset-the-others",
    guards: "a change of one identity check keeps the others",
    file: SQL_APP_STORE,
    find: "coalesce($4::boolean, check_phone)",
    replace: "coalesce($4::boolean, true)",
    twin: "rules-reset-the-others",
  },
  {
    name: "merchant-takes-over-a-tool",
    guards: "orders keep the account they were created with",
    file: PAY_TOOL_STORE,
    find: "before !== undefined && sameMerchant(before, account) ? before : account;",
    replace: "before ?? account;",
  },
  {
    name: "sql-merchant-takes-over-a-tool",
    guards: "orders keep the account they were created with",
    file: SQL_PAY_TOOL_STORE,
    find: "where (held.account_id, held.wallet_app_id, held.app_env) = (excluded.account_id, excluded.wallet_app_id, excluded.app_env)",
    replace: "where true",
  },
  {
    name: "tool-of-another-channel",
    guards: "an order uses the account of its own channel",
    file: PAY_TOOL_STORE,
    find: "current: (appId, payChannel) => runAtomically(() => current(appId, payChannel)),",
    replace:
      'current: (appId, payChannel) => runAtomically(() => current(appId, payChannel) ?? current(appId, "WALLET_A")),',
  },
  {
    name: "sql-tool-of-another-channel",
    guards: "an order uses the account of its own channel",
    file: SQL_PAY_TOOL_STORE,
    find: "`select ${columns} from ${tools} where ${ofChannel}`",
    replace: "`select ${columns} from ${tools} where app_id = $1 and $2::text <> '' and is_current`",
  },
  {
    name: "customer-lost-after-two-rotations",
    guards: "a customer keeps their id after two rotations of the pepper",
    file: SESSION_STORE,
    find: "const known = phonesWith(appId, phoneHashes)",
    replace: "const known = phonesWith(appId, phoneHashes.slice(0, 2))",
  },
  {
    name: "sql-customer-lost-after-two-rotations",
    guards: "a customer keeps their id after two rotations of the pepper",
    file: SQL_SESSION_STORE,
    find: "for (const hash of phoneHashes) rows.push(",
    replace: "for (const hash of phoneHashes.slice(0, 2)) rows.push(",
  },
  {
    name: "customer-not-moved-to-the-new-pepper",
    guards: "a customer who logged in is found without the old pepper",
    file: SESSION_STORE,
    find: "if (!customers.has(key)) customers",
    replace: "if (!customers.has(key) && known === undefined) customers",
  },
  {
    name: "sql-customer-not-moved-to-the-new-pepper",
    guards: "a customer who logged in is found without the old pepper",
    file: SQL_SESSION_STORE,
    find: "if (first !== undefined && !stored.includes(undefined)) return first;",
    replace: `const known = stored.find((one) => one !== undefined);
        if (known !== undefined) return known;`,
  },
  {
    name: "two-customers-of-a-number",
    guards: "of two concurrent first logins of a number, one creates the customer",
    file: SESSION_STORE,
    find: "const customerId = known ?? candidate;",
    replace: "const customerId = candidate;",
  },
  {
    name: "sql-two-customers-of-a-number",
    guards: "of two concurrent first logins of a number, one creates the customer",
    file: SQL_SESSION_STORE,
    find: 'return text(await identifyOne(identified), "customer_id");',
    replace: "{\n          await identifyOne(identified);\n          return candidate;\n        }",
  },
  {
    name: "new-code-with-old-tries",
    guards: "a new code starts without counted attempts",
    file: CODE_STORE,
    find: "triesBefore: stored.tries }",
    replace: "triesBefore: 0 }",
  },
  {
    name: "sql-one-try-too-many",
    guards: "a code allows no more attempts than its limit",
    file: CODE_STATEMENTS,
    find: '< ${value("max_code_tries")}`',
    replace: '<= ${value("max_code_tries")}`',
  },
  {
    name: "sql-expired-code-accepted",
    guards: "a code stops working when it expires",
    file: CODE_STATEMENTS,
    find: "`coalesce(${now} < codes_expire_ms[${nth}], false)`",
    replace: "`coalesce(${now} < codes_expire_ms[${nth}] + 60000, false)`",
  },
  {
    name: "sql-old-code-kept",
    guards: "a message that the carrier accepted ends the earlier code",
    file: CODE_STATEMENTS,
    find: "(column) => `${column} = trim_array(${column}, cardinality(code_hashes) - ${place})`,",
    replace: "(column) => `${column} = ${column}`,",
  },
  {
    name: "sql-all-codes-dropped",
    guards: "removing a code that was not sent keeps the other codes",
    file: CODE_STATEMENTS,
    find: "where n <> ${place} order by n",
    replace: "where n < 0 order by n",
  },
  {
    name: "expired-session-takes-a-place",
    guards: "an expired session does not count towards the limit",
    file: SESSIONS_AT_LOGIN,
    find: ".filter((session) => isLiveSession(session, openedAt))",
    replace: ".filter((session) => isLiveSession(session, 0))",
  },
  {
    name: "sql-expired-session-takes-a-place",
    guards: "an expired session does not count towards the limit",
    file: OPEN_SESSION,
    find: 'const live = `expires_ms > ${value("created_ms")}`;',
    replace: "const live = `expires_ms > 0`;",
  },
  {
    name: "sql-expired-session-takes-a-place-batched",
    guards: "an expired session does not count towards the limit",
    file: OPEN_SESSION,
    find: "partition by ${live} order by created_ms desc",
    replace: "order by ${live}, created_ms desc",
  },
  {
    name: "sql-newest-session-evicted",
    guards: "a session above the limit ends the oldest one",
    file: OPEN_SESSION,
    find: "order by created_ms desc, token_hash desc) as place",
    replace: "order by created_ms, token_hash) as place",
  },
  {
    name: "sql-newest-session-evicted-batched",
    guards: "a session above the limit ends the oldest one",
    file: OPEN_SESSION,
    find: "order by created_ms desc, token_hash desc) as place",
    replace: "order by created_ms asc, token_hash desc) as place",
  },
  {
    name: "session-of-another-customer-evicted",
    guards: "a login ends only sessions of its own customer",
    file: SESSION_STORE,
    find: "sessionsAtLogin(sessionsOf(customer), ",
    replace: "sessionsAtLogin([...sessions.values()].flat(), ",
  },
  {
    name: "sql-session-of-another-customer-evicted",
    guards: "a login ends only sessions of its own customer",
    file: OPEN_SESSION,
    find: 'where ${isKey("customer_id", "app_id")} and token_hash <> ${value("token_hash")}',
    replace: 'where ${value("app_id")} is not null and token_hash <> ${value("token_hash")}',
  },
  {
    name: "sql-revoke-does-nothing",
    guards: "a revoked session is no longer valid",
    file: SESSION_STATEMENTS,
    find: "`delete from ${sessions} where ${session} returning token_hash`",
    replace: "`select token_hash from ${sessions} where ${session}`",
  },
  {
    name: "sql-revoke-all-does-nothing",
    guards: "all sessions of a customer can be ended",
    file: SESSION_STATEMENTS,
    find: "and (select count(*) from owner) >= 0\n",
    replace: "and (select count(*) from owner) > 1\n",
  },
  {
    name: "sql-token-of-another-app",
    guards: "a token is valid only in its own app",
    file: SESSION_STATEMENTS,
    find: 'where ${isKey("customer_id", "app_id", "token_hash")}`;',
    replace: 'where ${isKey("customer_id", "token_hash")} and ${value("app_id")} is not null`;',
  },
  {
    name: "sql-token-of-another-app-revoked",
    guards: "a token can end only sessions of its own app",
    file: SESSION_STATEMENTS,
    twin: "token-of-another-app",
    find: 'const session = "customer_id = $1 and app_id = $2 and token_hash = $3";',
    replace: 'const session = "customer_id = $1 and $2::text is not null and token_hash = $3";',
  },
  {
    name: "live-session-removed",
    guards: "housekeeping keeps live sessions",
    file: SESSION_STORE,
    find: "all.filter(({ expiresAt }) => expiresAt < before)",
    replace: "all.filter(({ gmtCreate }) => gmtCreate < before)",
  },
  {
    name: "sql-live-session-removed",
    guards: "housekeeping keeps live sessions",
    file: SESSION_STATEMENTS,
    find: 'key: ["customer_id", "app_id", "token_hash"],\n      column: "expires_ms",',
    replace: 'key: ["customer_id", "app_id", "token_hash"],\n      column: "created_ms",',
  },
  {
    name: "sql-units-below-zero",
    guards: "only a unit that was taken can be returned",
    file: QUOTA_STATEMENTS,
    find: 'isRow("q", ...counter.key)} and q.used > 0',
    replace: 'isRow("q", ...counter.key)}',
  },
  {
    name: "spacing-given-back",
    guards: "a refused message does not end the pause between two messages",
    file: QUOTA_STORE,
    find: "quotas.set(dayOf(key, day), { ...key, day, used: used - 1 });",
    replace:
      "quotas.set(dayOf(key, day), { ...key, day, used: used - 1 });\n        spacings.delete(ownerOf(key));",
    onlyHere: "the statement in SQL does not read the pauses",
  },
  {
    name: "units-of-another-kind-counted",
    guards: "messages, tries and reports are counted apart",
    file: QUOTA_STORE,
    find: "  return compositeKey(scope, subject, day);",
    replace: "  return compositeKey(typeof scope, subject, day);",
  },
  {
    name: "sql-units-of-another-kind-counted",
    guards: "messages, tries and reports are counted apart",
    file: TAKE_UNITS,
    find: "return { subject, scope, day };",
    replace: "return { subject, scope: typeof scope, day };",
  },
  {
    name: "units-of-yesterday-counted",
    guards: "every day has its own units",
    file: QUOTA_STORE,
    find: "  return compositeKey(scope, subject, day);",
    replace: "  return compositeKey(scope, subject, typeof day);",
  },
  {
    name: "sql-units-of-yesterday-counted",
    guards: "every day has its own units",
    file: TAKE_UNITS,
    find: "return { subject, scope, day };",
    replace: "return { subject, scope, day: typeof day };",
  },
  {
    name: "sql-count-of-today-removed",
    guards: "housekeeping keeps the counters of a day that has not ended",
    file: SQL_QUOTA_STORE,
    find: "removeRows(sql, statements.removeBefore, day, limit)",
    replace: "removeRows(sql, statements.removeBefore, `${day}~`, limit)",
  },
  {
    name: "sql-counter-waits-for-a-lock",
    guards: "a batched return of units never waits for a transaction",
    file: CALL_FORMS,
    find: "limit 1 for update skip locked\n",
    replace: "limit 1 for update\n",
    onlyHere: ONE_AT_A_TIME,
  },
];
