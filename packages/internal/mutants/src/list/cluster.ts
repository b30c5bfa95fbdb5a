import type { Mutant } from "../mutant.js";

const TRANSITION = "packages/postgres/src/orders/transition-on-cluster.ts";
const SERVICE_STATEMENTS = "packages/postgres/src/services/service-statements.ts";
const INSERT = "packages/postgres/src/orders/insert-orders-on-cluster.ts";
const SESSION = "packages/postgres/src/sessions/open-sessions-on-cluster.ts";
const QUOTA_STORE = "packages/postgres/src/quotas/quota-store.ts";
const REFUND_STORE = "packages/postgres/src/refunds/refund-store.ts";
const APPENDING = "packages/postgres/src/timeline/appending-statement.ts";

const ON_A_CLUSTER = "only a cluster runs this form of the statement";

/** Mutants of the statements that the stores run on a cluster. */
export const CLUSTER: readonly Mutant[] = [
  {
    name: "cluster-events-follow-the-same-event",
    guards: "two changes of an order never follow the same event",
    file: TRANSITION,
    find: 'o.payment_status = ${value("from_status")} and o.timeline_seq = ${value("timeline_seq")} - 1',
    replace: '${value("from_status")}::text is not null and ${value("timeline_seq")}::int > 0',
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-transition-without-event",
    guards: "every change of an order is in its timeline",
    file: TRANSITION,
    find: "if (row !== undefined) await append(queries, [event], handlerNames(end));",
    replace: "if (row === undefined) await append(queries, [event], handlerNames(end));",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-time-from-now-on",
    guards: "an extension is added to the remaining service time",
    file: SERVICE_STATEMENTS,
    find: "greatest(held.expire_ms, $6::bigint) + $7::bigint",
    replace: "$6::bigint + $7::bigint",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-lost-race-extends-the-service",
    guards: "a transition that loses its race extends nothing",
    file: "packages/postgres/src/orders/transition-batches.ts",
    find: "if (result?.moved === true && result.order.service !== undefined) {",
    replace: "if (result !== undefined && result.order.service !== undefined) {",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-order-not-in-history",
    guards: "the history of a customer contains every order",
    file: INSERT,
    find: "await transaction.query(insertLookups(fresh.length), lookups);",
    replace: "void lookups;",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-expired-session-in-a-batch",
    guards: "an expired session is not live, also if its look-up shares a batch",
    file: "packages/postgres/src/sessions/session-store.ts",
    find: "accepts: (row, { now }) => isLiveSession(toSession(row), now),",
    replace: "accepts: () => true,",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-login-without-lock",
    guards: "concurrent logins never leave more sessions than allowed",
    file: SESSION,
    find: "await transaction.query(lockOwner, ownerValues(call));",
    replace: "",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-logins-of-a-batch-without-lock",
    guards: "concurrent logins never leave more sessions than allowed",
    file: SESSION,
    find: "return calls.filter((call) => claimed.has(ownerOf(call)));",
    replace: "return calls;",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-logins-of-a-batch-with-an-old-list",
    guards: "concurrent logins never leave more sessions than allowed",
    file: "packages/postgres/src/sessions/session-statements.ts",
    find: "coalesce(held.ctid = stored.ctid, false) as is_locked",
    replace: "held.app_id is not null as is_locked",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-batch-of-payments-without-event",
    guards: "every change of an order is in its timeline",
    file: TRANSITION,
    find: "done.toSorted(byKey).map(({ event }) => event);",
    replace: "done.slice(1).map(({ event }) => event);",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-batch-of-payments-waits-for-a-delivery",
    guards: "a payment does not wait for the event handler of another order",
    file: TRANSITION,
    find: "for (const key of delivering) ends.delete(key);",
    replace: "",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-login-keeps-one-session-more",
    guards: "a login leaves at most the allowed number of sessions",
    file: SESSION,
    find: "openedAt: gmtCreate, maxLive }",
    replace: "openedAt: gmtCreate, maxLive: maxLive + 1 }",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-refused-unit-sets-the-spacing",
    guards: "a request without a granted unit does not delay the next one",
    file: QUOTA_STORE,
    find: "if (taken === undefined) throw new NoUnit();",
    replace: "if (taken === undefined) return undefined;",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-refund-requested-twice",
    guards: "a refund number reserves its amount once",
    file: REFUND_STORE,
    find: 'if (made.length === 0) return { ...held, kind: "held" };',
    replace: "",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-full-refund-without-its-event",
    guards: "a full refund appends two events",
    file: APPENDING,
    find: 'entries.slice(0, integer(row, "timeline_seq") - previousSeq)',
    replace: "entries.slice(0, 1)",
    onlyHere: ON_A_CLUSTER,
  },
];
