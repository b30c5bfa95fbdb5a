import type { Mutant } from "../mutant.js";

const TRANSITION = "packages/postgres/src/transition-on-cluster.ts";
const INSERT = "packages/postgres/src/insert-orders-on-cluster.ts";
const SESSION = "packages/postgres/src/open-session-on-cluster.ts";
const QUOTA_STORE = "packages/postgres/src/quota-store.ts";
const REFUND_STORE = "packages/postgres/src/refund-store.ts";
const APPENDING = "packages/postgres/src/appending-statement.ts";
const CLAIM_DUE = "packages/postgres/src/claim-due.ts";

const ON_A_CLUSTER = "only a cluster runs this form of the statement";

/** Mutants of the statements that the stores run on a cluster. */
export const CLUSTER: readonly Mutant[] = [
  {
    name: "cluster-events-follow-the-same-event",
    guards: "two changes of an order never follow the same event",
    file: TRANSITION,
    find: "and payment_status = $3 and timeline_seq = $9 - 1",
    replace: "and ($3::text is not null) and $9 > 0",
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
    name: "cluster-order-not-in-history",
    guards: "the history of a customer contains every order",
    file: INSERT,
    find: "await transaction.query(insertLookups(fresh.length), lookups);",
    replace: "void lookups;",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-login-without-lock",
    guards: "concurrent logins never leave more sessions than allowed",
    file: SESSION,
    find: "await transaction.query(lockOwner, [customerId, appId, gmtCreate]);",
    replace: "",
    onlyHere: ON_A_CLUSTER,
  },
  {
    name: "cluster-login-keeps-one-session-more",
    guards: "a login leaves at most the allowed number of sessions",
    file: SESSION,
    find: "live.length + 1 - maxLive",
    replace: "live.length - maxLive",
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
  {
    name: "cluster-claims-a-claimed-row",
    guards: "each due row goes to one worker",
    file: CLAIM_DUE,
    find: 'join(" and ")} and ${open} and ${column} <= $1\n       returning',
    replace: 'join(" and ")} and ${open} and $1::bigint > 0\n       returning',
    onlyHere: ON_A_CLUSTER,
  },
];
