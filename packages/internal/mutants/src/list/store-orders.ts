import type { Mutant } from "../mutant.js";
const ORDER_STORE = "packages/memory/src/order-store.ts";
const SERVICE_TIME = "packages/memory/src/service-time.ts";
const SERVICE_STORE = "packages/memory/src/service-store.ts";
const DUE_WORK = "packages/memory/src/due-work.ts";
const SQL_ORDER_STORE = "packages/postgres/src/order-store.ts";
const ORDER_STATEMENTS = "packages/postgres/src/order-statements.ts";
const SERVICE_STATEMENTS = "packages/postgres/src/service-statements.ts";
const CLAIM_DUE = "packages/postgres/src/claim-due.ts";

/** Mutants of the stores of orders and services, in memory and in SQL. */
export const STORE_ORDERS: readonly Mutant[] = [
  {
    name: "alarm-of-another-app-counts",
    guards: "an alarm is looked up in the timeline of its own app's order",
    file: ORDER_STORE,
    find: "if (target === undefined || isKnown(target, entry)) return false;",
    replace:
      "if (target === undefined || [...state.orders.values()].some((other) => other.order.bizNo === key.bizNo && isKnown(other, entry))) return false;",
  },
  {
    name: "sql-alarm-of-another-app-counts",
    guards: "an alarm is looked up in the timeline of its own app's order",
    file: ORDER_STATEMENTS,
    find: "select from ${timeline} where ${KEY} and type = $4 and evidence = $5",
    replace: "select from ${timeline} where biz_no = $1 and type = $4 and evidence = $5",
  },
  {
    name: "alarm-of-another-order-counts",
    guards: "two orders may have an alarm of the same evidence",
    file: ORDER_STORE,
    find: "if (target === undefined || isKnown(target, entry)) return false;",
    replace:
      "if (target === undefined || [...state.orders.values()].some((other) => isKnown(other, entry))) return false;",
  },
  {
    name: "sql-alarm-of-another-order-counts",
    guards: "two orders may have an alarm of the same evidence",
    file: ORDER_STATEMENTS,
    find: "select from ${timeline} where ${KEY} and type = $4 and evidence = $5",
    replace: "select from ${timeline} where app_id = $2 and type = $4 and evidence = $5",
  },
  {
    name: "alarms-of-one-kind-are-one",
    guards: "two messages of one kind are two alarms",
    file: ORDER_STORE,
    find: "event.type === type && event.evidence === evidence",
    replace: "event.type === type",
  },
  {
    name: "sql-alarms-of-one-kind-are-one",
    guards: "two messages of one kind are two alarms",
    file: ORDER_STATEMENTS,
    find: "and type = $4 and evidence = $5)",
    replace: "and type = $4 and $5::text is not null)",
  },
  {
    name: "late-payment-extends-nothing",
    guards: "a late payment extends the customer's service",
    file: ORDER_STORE,
    find: "grantTime(state, held.order, change);",
    replace: 'if (change.from === "PENDING") grantTime(state, held.order, change);',
  },
  {
    name: "sql-late-payment-extends-nothing",
    guards: "a late payment extends the customer's service",
    file: SQL_ORDER_STORE,
    find: "if (extendService === undefined) return move(",
    replace: 'if (extendService === undefined || change.from !== "PENDING") return move(',
  },
  {
    name: "lost-race-extends-the-service",
    guards: "a transition that loses its race extends nothing",
    file: ORDER_STORE,
    find: "if (moved) move(state, target, change);",
    replace: "if (moved) move(state, target, change);\n        else grantTime(state, target.order, change);",
  },
  {
    name: "sql-lost-race-extends-the-service",
    guards: "a transition that loses its race extends nothing",
    file: SQL_ORDER_STORE,
    find: "if (moved?.moved === true && moved.order.service !== undefined) {",
    replace: "if (moved !== undefined && moved.order.service !== undefined) {",
  },
  {
    name: "service-number-replaced",
    guards: "a customer's service keeps its first number",
    file: SERVICE_TIME,
    find: "    ...held.service,\n    expireTime: Math.max(",
    replace: "    ...held.service,\n    serviceNo: extendService.serviceNo,\n    expireTime: Math.max(",
  },
  {
    name: "sql-service-number-replaced",
    guards: "a customer's service keeps its first number",
    file: SERVICE_STATEMENTS,
    find: "grants_made = held.grants_made + 1",
    replace: "grants_made = held.grants_made + 1, service_no = excluded.service_no",
  },
  {
    name: "services-of-another-app",
    guards: "no app reads the services of another's customers",
    file: SERVICE_STORE,
    find: "services.get(keyText(appId, customerIdentity))?.values() ?? [],",
    replace:
      "[...services].flatMap(([key, held]) => (JSON.parse(key)[1] === customerIdentity ? [...held.values()] : [])),",
  },
  {
    name: "sql-services-of-another-app",
    guards: "no app reads the services of another's customers",
    file: SERVICE_STATEMENTS,
    find: "where customer_identity = $1 and app_id = $2\n       order by",
    replace: "where customer_identity = $1 and $2::text is not null\n       order by",
  },
  {
    name: "orders-of-another-customer-listed",
    guards: "a customer's history holds that customer's orders",
    file: ORDER_STORE,
    find: "(state.ordersOfCustomer.get(keyText(appId, customerIdentity)) ?? [])",
    replace:
      "[...state.orders.values()].filter(({ order }) => order.appId === appId && customerIdentity !== null)",
  },
  {
    name: "sql-orders-of-another-customer-listed",
    guards: "a customer's history holds that customer's orders",
    file: ORDER_STATEMENTS,
    find: "where ${isKey(...equal)}`;",
    replace:
      'where ${isKey(...equal.filter((column) => column !== "customer_identity"))} and ${value("customer_identity")} is not null`;',
  },
  {
    name: "timeline-of-another-app",
    guards: "no app reads the timeline of another's order",
    file: ORDER_STORE,
    find: "timeline: (key) => step(() => [...(held(key)?.timeline ?? [])]),",
    replace:
      "timeline: (key) => step(() => [...state.orders.values()].filter(({ order }) => order.bizNo === key.bizNo).flatMap(({ timeline }) => timeline)),",
  },
  {
    name: "sql-timeline-of-another-app",
    guards: "no app reads the timeline of another's order",
    file: ORDER_STATEMENTS,
    find: "from ${timeline} where ${KEY} order by seq",
    replace: "from ${timeline} where biz_no = $1 and $2::text is not null order by seq",
  },
  {
    name: "sql-order-of-another-app",
    guards: "no app reads another's order",
    file: ORDER_STATEMENTS,
    find: '({ isKey, perCall }) =>\n      perCall(COLUMNS, `from ${orders} where ${isKey("biz_no", "app_id")} limit 1`)',
    replace:
      '({ value, isKey, perCall }) =>\n      perCall(COLUMNS, `from ${orders} where ${isKey("biz_no")} and ${value("app_id")} is not null limit 1`)',
  },
  {
    name: "claim-never-runs-out",
    guards: "the claim of a process that died runs out",
    file: ORDER_STORE,
    find: "other.id !== claim.id && now < other.until;",
    replace: "other.id !== claim.id;",
  },
  {
    name: "sql-claim-never-runs-out",
    guards: "the claim of a process that died runs out",
    file: ORDER_STATEMENTS,
    find: " or held.claim_until_ms <= $5)",
    replace: ")",
  },
  {
    name: "own-claim-refused",
    guards: "whoever holds the claim may renew it",
    file: ORDER_STORE,
    find: "other.id !== claim.id && now < other.until;",
    replace: "now < other.until;",
  },
  {
    name: "sql-own-claim-refused",
    guards: "whoever holds the claim may renew it",
    file: ORDER_STATEMENTS,
    find: " or held.claim_id = $3 or",
    replace: " or",
  },
  {
    name: "claim-over-a-prepayment",
    guards: "no process asks for a prepayment while one is valid",
    file: ORDER_STORE,
    find: "const usable = prepayment !== undefined && now < prepayment.validUntil;",
    replace: "const usable = prepayment !== undefined && now < 0;",
  },
  {
    name: "sql-claim-over-a-prepayment",
    guards: "no process asks for a prepayment while one is valid",
    file: ORDER_STATEMENTS,
    find: "and (held.prepayment_valid_until_ms is null or held.prepayment_valid_until_ms <= $5)",
    replace: "",
  },
  {
    name: "claim-outlives-the-prepayment",
    guards: "a prepayment ends the claim on it",
    file: ORDER_STORE,
    find: "const { prepaymentClaim: _ended, ...order } = target.order;\n          replace(target, { ...order, prepayment: frozen(prepayment) });",
    replace: "replace(target, { ...target.order, prepayment: frozen(prepayment) });",
  },
  {
    name: "sql-claim-outlives-the-prepayment",
    guards: "a prepayment ends the claim on it",
    file: ORDER_STATEMENTS,
    find: "prepayment_values = held.prepayment, claim_id = null, claim_until_ms = null",
    replace: "prepayment_values = held.prepayment",
  },
  {
    name: "expired-prepayment-kept",
    guards: "a prepayment that has expired is replaced",
    file: ORDER_STORE,
    find: "if (winner === undefined || prepayment.issuedAt >= winner.validUntil) {",
    replace: "if (winner === undefined) {",
  },
  {
    name: "sql-expired-prepayment-kept",
    guards: "a prepayment that has expired is replaced",
    file: ORDER_STATEMENTS,
    find: "and (held.prepayment_valid_until_ms is null or held.prepayment_valid_until_ms <= held.issued_ms)",
    replace: "and (held.prepayment_valid_until_ms is null or held.issued_ms < 0)",
  },
  {
    name: "due-order-taken-early",
    guards: "no order is asked about before its time",
    file: DUE_WORK,
    find: ".filter(({ dueAt = Infinity }) => dueAt <= now)",
    replace: ".filter(({ dueAt = Infinity }) => dueAt <= now + 60_000)",
  },
  {
    name: "sql-due-order-taken-early",
    guards: "no order is asked about before its time",
    file: CLAIM_DUE,
    find: "let offset = 0;\n  for (let look",
    replace: "now += 60_000;\n  let offset = 0;\n  for (let look",
  },
  {
    name: "youngest-work-first",
    guards: "work that has been due longest comes first",
    file: DUE_WORK,
    find: ".sort((left, right) => (left.dueAt ?? 0) - (right.dueAt ?? 0))",
    replace: ".sort((left, right) => (right.dueAt ?? 0) - (left.dueAt ?? 0))",
  },
  {
    name: "sql-youngest-work-first",
    guards: "work that has been due longest comes first",
    file: CLAIM_DUE,
    find: "order by ${column} limit $2 offset $3",
    replace: "order by ${column} desc limit $2 offset $3",
  },
  {
    name: "sql-due-order-without-lease",
    guards: "due work goes to one worker",
    file: CLAIM_DUE,
    find: "set ${column} = $3\n",
    replace: "set ${column} = case when $3::bigint > 0 then r.${column} end\n",
  },
  {
    name: "paid-order-asked-about-again",
    guards: "an order that is paid gets no time to be asked about again",
    file: ORDER_STORE,
    find: "if (target !== undefined && isAskable(target.order)) setQuery(",
    replace: "if (target !== undefined) setQuery(",
  },
  {
    name: "sql-paid-order-asked-about-again",
    guards: "an order that is paid gets no time to be asked about again",
    file: ORDER_STATEMENTS,
    find: "set next_query_ms = $3 where ${KEY} and payment_status in ${ASKABLE}",
    replace: "set next_query_ms = $3 where ${KEY}",
  },
  {
    name: "transition-keeps-the-question",
    guards: "a transition ends the questions about the order, unless it sets a time",
    file: ORDER_STORE,
    find: "setQuery(state, held, change.nextQueryAt);",
    replace: "setQuery(state, held, change.nextQueryAt ?? held.order.nextQueryAt);",
  },
  {
    name: "sql-transition-keeps-the-question",
    guards: "a transition ends the questions about the order, unless it sets a time",
    file: ORDER_STATEMENTS,
    find: "next_query_ms = $9,",
    replace: "next_query_ms = coalesce($9, o.next_query_ms),",
  },
  {
    name: "payment-at-midnight-missing",
    guards: "an order paid in the first millisecond of a day is on that day's bill",
    file: ORDER_STORE,
    find: "order.payToolId === payToolId && from <= at && at < until)",
    replace: "order.payToolId === payToolId && from < at && at < until)",
  },
  {
    name: "sql-payment-at-midnight-missing",
    guards: "an order paid in the first millisecond of a day is on that day's bill",
    file: ORDER_STATEMENTS,
    find: "paid_ms >= $2 and paid_ms < $3",
    replace: "paid_ms > $2 and paid_ms < $3",
  },
  {
    name: "sql-timeline-not-chained",
    guards: "every event holds the hash of the one before",
    file: ORDER_STATEMENTS,
    find: 'timeline_hash = ${hashSql("held.timeline_hash", "$8")}',
    replace: 'timeline_hash = ${hashSql("held.id", "$8")}',
  },
  {
    name: "sql-time-granted-twice",
    guards: "an order buys its time once",
    file: SERVICE_STATEMENTS,
    find: "where ${ofType} and order_id = $8)",
    replace: "where ${ofType} and order_id = $8 and false)",
  },
];
