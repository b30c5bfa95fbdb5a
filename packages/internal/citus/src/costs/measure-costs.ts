import { randomBytes } from "node:crypto";
import {
  anEntry,
  anOrder,
  aPayment,
  aSession,
  DAY,
  expectOk,
  FIXTURE_TIME,
  MINUTE,
  unique,
} from "@tillkit/contract-tests";
import type { Order, Session } from "@tillkit/core";
import { postgresStores, type SqlClient } from "@tillkit/postgres";

/** The p50 of each verb, in milliseconds. */
export type Costs = ReadonlyMap<string, number>;

/** The measured verbs, in the order of the table. */
export const VERBS = [
  "create",
  "pay",
  "pay, extends a service",
  "session open",
  "first page of a history",
  "claimDue",
  "claimDue, nothing due",
  "detail",
  "check-auth",
] as const;

/** The measured calls of each verb, and the calls before them that are not measured. */
const CALLS = 640;
const WARM_UPS = 160;
const CUSTOMERS = 100;
/** A history has two pages. */
const ORDERS_EACH = 30;
const PAGE = { offset: 0, limit: 20 } as const;

/** Measures the frequent calls with `callers` concurrent callers on an empty schema. */
export async function measureCosts(sql: SqlClient, schema: string, callers: number): Promise<Costs> {
  const credentialKeys = [{ version: 1, key: randomBytes(32) }];
  const { orders, sessions } = postgresStores({ sql, schema, credentialKeys });
  const costs = new Map<string, number>();
  const total = CALLS + WARM_UPS;
  const measure = async (verb: (typeof VERBS)[number], call: (nth: number) => Promise<unknown>) => {
    const times: number[] = [];
    let next = 0;
    const caller = async () => {
      for (let nth = next++; nth < total; nth = next++) {
        const began = performance.now();
        await call(nth);
        if (nth >= WARM_UPS) times.push(performance.now() - began);
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    costs.set(verb, times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0);
  };
  const customers = Array.from({ length: CUSTOMERS }, () => unique("customer-"));
  const customerOf = (nth: number) => customers[nth % CUSTOMERS] ?? "";
  const made: Order[] = [];
  const insert = async (changes: Partial<Order>) => {
    const order = anOrder(changes);
    await expectOk(orders.insertOnce(order, anEntry()));
    return order;
  };
  const history = CUSTOMERS * ORDERS_EACH;
  await inParallel(callers, history, (nth) => insert({ customerIdentity: customerOf(nth) }));

  await measure("create", async (nth) => made.push(await insert({ customerIdentity: customerOf(nth) })));
  await measure("pay", (nth) => expectOk(orders.transition(pick(made, nth), aPayment())));
  const service = { serviceTypeNo: "T-1", serviceName: "Member", durationMs: DAY };
  const extending: Order[] = [];
  await inParallel(callers, total, async () =>
    extending.push(await insert({ customerIdentity: unique("member-"), service })),
  );
  await measure("pay, extends a service", (nth) => {
    const payment = aPayment({ extendService: { serviceNo: unique("S-") } });
    return expectOk(orders.transition(pick(extending, nth), payment));
  });
  const open: Session[] = [];
  await measure("session open", async () => {
    const session = aSession({ customerId: unique("customer-"), expiresAt: FIXTURE_TIME + DAY });
    open.push(session);
    await expectOk(sessions.open(session, 5));
  });
  await measure("first page of a history", (nth) =>
    expectOk(orders.list({ appId: "app_1", customerIdentity: customerOf(nth), ...PAGE })),
  );
  await measure("claimDue, nothing due", () => expectOk(orders.claimDue(FIXTURE_TIME, 10, MINUTE)));
  await inParallel(callers, total, () => insert({ nextQueryAt: FIXTURE_TIME - DAY }));
  // Each claim takes up to ten orders, so some are due again before the last call.
  await measure("claimDue", (nth) => expectOk(orders.claimDue(FIXTURE_TIME + nth, 10, total / 10)));
  await measure("detail", (nth) => expectOk(orders.find(pick(made, nth))));
  await measure("check-auth", (nth) => expectOk(sessions.isLive(pick(open, nth), FIXTURE_TIME)));
  return costs;
}

function pick<T>(items: readonly T[], nth: number): T {
  const item = items[nth % items.length];
  if (item === undefined) throw new Error("There is nothing to choose from.");
  return item;
}

async function inParallel(
  callers: number,
  count: number,
  call: (nth: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const caller = async () => {
    for (let nth = next++; nth < count; nth = next++) await call(nth);
  };
  await Promise.all(Array.from({ length: callers }, caller));
}
