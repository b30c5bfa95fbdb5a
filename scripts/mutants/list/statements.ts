import type { Mutant } from "../mutant.js";
const ORDER_STATEMENTS = "packages/postgres/src/order-statements.ts";
const CLAIM_DUE = "packages/postgres/src/claim-due.ts";
const REFUND_STATEMENTS = "packages/postgres/src/refund-statements.ts";
const SERVICE_STATEMENTS = "packages/postgres/src/service-statements.ts";
const CODE_STORE = "packages/postgres/src/code-store.ts";
const SESSION_STATEMENTS = "packages/postgres/src/session-statements.ts";
const QUOTA_STORE = "packages/postgres/src/quota-store.ts";

/** What makes the statements of PostgreSQL atomic. A parameter that nothing reads any more stays, for a statement that does not run proves nothing. */
export const STATEMENTS: readonly Mutant[] = [
  {
    name: "sql-order-not-locked",
    guards: "whoever changes an order decides from what it is then",
    file: ORDER_STATEMENTS,
    find: "where ${KEY} for update)`;",
    replace: "where ${KEY})`;",
  },
  {
    name: "sql-transition-without-compare",
    guards: "an order moves only from the status it is in",
    file: ORDER_STATEMENTS,
    find: "and held.payment_status = $3",
    replace: "and $3::text is not null",
  },
  {
    name: "sql-order-inserted-twice",
    guards: "of two that store one order one wins and both have it",
    file: ORDER_STATEMENTS,
    find: "on conflict do nothing\n         returning ${COLUMNS}, timeline_hash",
    replace: "returning ${COLUMNS}, timeline_hash",
  },
  {
    name: "sql-claim-over-a-claim",
    guards: "while one asks for the prepayment no other is let through",
    file: ORDER_STATEMENTS,
    find: "and (held.claim_id is null or held.claim_id = $3 or held.claim_until_ms <= $5)",
    replace: "",
  },
  {
    name: "sql-prepayment-overwritten",
    guards: "the first prepayment is everybody's",
    file: ORDER_STATEMENTS,
    find: "and (held.prepayment_valid_until_ms is null or held.prepayment_valid_until_ms <= $3)",
    replace: "",
  },
  {
    name: "sql-claim-of-another-released",
    guards: "a claim ends by its own holder",
    file: ORDER_STATEMENTS,
    find: "where ${KEY} and claim_id = $3`",
    replace: "where ${KEY} and $3::text is not null`",
  },
  {
    name: "sql-alarm-recorded-twice",
    guards: "one message is one alarm",
    file: ORDER_STATEMENTS,
    find: "and type = $4 and evidence = $5)",
    replace: "and type = $4 and evidence = $5 and false)",
  },
  {
    name: "sql-every-read-asks-the-wallet",
    guards: "reads ask the wallet once in an interval",
    file: ORDER_STATEMENTS,
    find: "queried_ms <= $3::bigint - $4::bigint)",
    replace: "queried_ms <= $3::bigint + $4::bigint)",
  },
  {
    name: "sql-due-work-claimed-twice",
    guards: "due work goes to one worker",
    file: CLAIM_DUE,
    find: "and ${open} and ${column} <= $2",
    replace: "and ${open} and $2::bigint > 0",
  },
  {
    name: "sql-refund-of-an-unpaid-order",
    guards: "only a PAID order is refunded",
    file: REFUND_STATEMENTS,
    find: "where payment_status = 'PAID' and open_refund_no is null",
    replace: "where open_refund_no is null",
  },
  {
    name: "sql-two-refunds-in-flight",
    guards: "one refund of an order is under way at a time",
    file: REFUND_STATEMENTS,
    find: "and open_refund_no is null and",
    replace: "and",
  },
  {
    name: "sql-refunds-above-the-amount",
    guards: "refunds never exceed what was paid",
    file: REFUND_STATEMENTS,
    find: " and refunded_cents + $4 <= amount_cents",
    replace: "",
  },
  {
    name: "sql-request-not-locked",
    guards: "of two requests for a refund each sees what the other did",
    file: REFUND_STATEMENTS,
    find: "where biz_no = $1 and app_id = $2 for update\n",
    replace: "where biz_no = $1 and app_id = $2\n",
  },
  {
    name: "sql-confirmed-twice",
    guards: "a confirmed refund counts once",
    file: REFUND_STATEMENTS,
    find: "and held.r_status in ${from}",
    replace: "and $3::text <> ''",
  },
  {
    name: "sql-refund-not-locked",
    guards: "whoever ends a refund decides from what it is then",
    file: REFUND_STATEMENTS,
    find: "and r.refund_no = $3\n         for update",
    replace: "and r.refund_no = $3",
  },
  {
    name: "sql-open-refund-forgotten",
    guards: "the late end of one refund leaves the other under way",
    file: REFUND_STATEMENTS,
    find: "open_refund_no = nullif(o.open_refund_no, $3)",
    replace: "open_refund_no = null",
  },
  {
    name: "sql-time-from-now-on",
    guards: "time is added to what the customer still has",
    file: SERVICE_STATEMENTS,
    find: "greatest(held.expire_ms, $6::bigint) + $7::bigint",
    replace: "$6::bigint + $7::bigint",
  },
  {
    name: "sql-code-not-locked",
    guards: "of concurrent right tries one matches",
    file: CODE_STORE,
    find: "and app_id = $2 for update",
    replace: "and app_id = $2",
  },
  {
    name: "sql-code-not-consumed",
    guards: "a code opens one session",
    file: CODE_STORE,
    find: "and not held.exhausted and held.matched",
    replace: "and held.exhausted and held.matched",
  },
  {
    name: "sql-tries-not-counted",
    guards: "a code survives few tries",
    file: CODE_STORE,
    find: "set tries = code.tries + 1",
    replace: "set tries = code.tries",
  },
  {
    name: "sql-new-code-with-old-tries",
    guards: "a new code has no tries against it",
    file: CODE_STORE,
    find: "expires_ms = excluded.expires_ms, tries = 0",
    replace: "expires_ms = excluded.expires_ms",
  },
  {
    name: "sql-one-session-too-many",
    guards: "a customer has so many live sessions and no more",
    file: SESSION_STATEMENTS,
    find: "ranked.place >= $6::int",
    replace: "ranked.place > $6::int",
  },
  {
    name: "sql-logins-side-by-side",
    guards: "the logins of a customer come one after the other",
    file: SESSION_STATEMENTS,
    find: "do update set opened_ms = excluded.opened_ms",
    replace: "do nothing",
  },
  {
    name: "sql-expired-session-lives",
    guards: "a session ends when its time is over",
    file: SESSION_STATEMENTS,
    find: "where ${session} and $4::bigint < expires_ms",
    replace: "where ${session} and $4::bigint > 0",
  },
  {
    name: "sql-one-unit-too-many",
    guards: "a day has so many units and no more",
    file: QUOTA_STORE,
    find: "held.used < $4::bigint\n     returning used`,\n  );\n  // The row",
    replace: "held.used <= $4::bigint\n     returning used`,\n  );\n  // The row",
  },
  {
    name: "sql-spacing-ignored",
    guards: "units that are spaced are not granted sooner",
    file: QUOTA_STORE,
    find: "not between 0 and $6::bigint - 1",
    replace: "not between $6::bigint and $6::bigint",
  },
];
