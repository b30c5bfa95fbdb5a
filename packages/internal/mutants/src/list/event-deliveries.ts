import type { Mutant } from "../mutant.js";

const STORE = "packages/memory/src/events/event-delivery-store.ts";
const MAKE_DUE = "packages/postgres/src/timeline/make-due-sql.ts";
const STATEMENTS = "packages/postgres/src/events/event-delivery-statements.ts";
const CLAIM_DUE = "packages/postgres/src/timeline/claim-due.ts";
const HANDLER = "packages/postgres/src/events/transactional-handler.ts";
const APPEND = "packages/postgres/src/timeline/append-events.ts";

const ON_A_CLUSTER = "only a cluster runs this form of the statement";

const ONLY_SQL = "no other adapter gives handlers a transaction";

const NO_PORT = "calls handlers, and is no method of a port";

/** Mutants of the deliveries of events. */
export const EVENT_DELIVERIES: readonly Mutant[] = [
  {
    name: "delivery-advances-without-claim",
    guards: "a worker whose claim was lost cannot move a delivery",
    file: STORE,
    find: "stored?.claimId === claimed.claimId &&",
    replace: "stored !== undefined &&",
  },
  {
    name: "sql-delivery-advances-without-claim",
    guards: "a worker whose claim was lost cannot move a delivery",
    file: STATEMENTS,
    find: "and d.claim_id = $4 and d.next_seq",
    replace: "and ($4::text is not null) and d.next_seq",
  },
  {
    name: "delivery-unparked-by-an-event",
    guards: "a parked event blocks the later events of its order",
    file: STORE,
    find: "const due = isIdle(delivery) ? { dueAt: at } : {};",
    replace: "const due = delivery.dueAt === undefined ? { dueAt: at } : {};",
  },
  {
    name: "sql-delivery-unparked-by-an-event",
    guards: "a parked event blocks the later events of its order",
    file: MAKE_DUE,
    find: "due_ms = case when d.parked_ms is null then coalesce(d.due_ms, excluded.due_ms) end`;",
    replace: "due_ms = coalesce(d.due_ms, excluded.due_ms)`;",
  },
  {
    name: "delivery-ends-before-its-last-event",
    guards: "every event of an order is delivered",
    file: STORE,
    find: "const isDone = next.seq > lastSeq;",
    replace: "const isDone = next.seq >= lastSeq;",
  },
  {
    name: "sql-delivery-ends-before-its-last-event",
    guards: "every event of an order is delivered",
    file: STATEMENTS,
    find: "due_ms = case when $7 <= d.last_seq then $9::bigint end,",
    replace: "due_ms = case when $7 < d.last_seq then $9::bigint end,",
  },
  {
    name: "sql-delivery-starts-after-the-first-of-two",
    guards: "both events of one step are delivered",
    file: MAKE_DUE,
    find: "min(seq) as first_seq",
    replace: "max(seq) as first_seq",
    onlyHere: "memory appends one event after the other",
  },
  {
    name: "delivery-claim-without-id",
    guards: "two workers never hold a claim on one delivery",
    file: STORE,
    find: "put(state, claimed, { lastAt, claimId: id });",
    replace: "put(state, claimed, { lastAt, claimId: deliveries.get(keyText(delivery))?.claimId ?? id });",
  },
  {
    name: "sql-delivery-claim-without-id",
    guards: "two workers never hold a claim on one delivery",
    file: CLAIM_DUE,
    find: 'claimColumn === undefined ? "" : `, ${claimColumn} = asked.claim`;',
    replace: 'claimColumn === undefined ? "" : `, ${claimColumn} = coalesce(r.${claimColumn}, asked.claim)`;',
  },
  {
    name: "transactional-effect-outside-the-transaction",
    guards: "an effect in the database takes place exactly once for each event",
    file: HANDLER,
    find: "openHandlerSession(transaction)",
    replace: "openHandlerSession(sql)",
    onlyHere: ONLY_SQL,
    keepsNoPromise: NO_PORT,
  },
  {
    name: "transactional-handler-without-deadline",
    guards: "a handler that never ends does not keep a connection",
    file: HANDLER,
    find: 'signal.addEventListener("abort", abort, { once: true });',
    replace: "",
    onlyHere: ONLY_SQL,
    keepsNoPromise: NO_PORT,
  },
  {
    name: "cluster-event-without-delivery",
    guards: "every event is delivered to every handler",
    file: APPEND,
    find: "if (values.length > 0) await queries.query(makeDue",
    replace: "if (values.length > 1) await queries.query(makeDue",
    onlyHere: ON_A_CLUSTER,
  },
];
