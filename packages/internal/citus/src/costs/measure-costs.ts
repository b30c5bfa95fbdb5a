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
import type { Order } from "@tillkit/core";
import type { Session } from "@tillkit/core/ports";
import { postgresStores, type SqlClient } from "@tillkit/postgres";

/** The measured kinds of calls, in the order of the table. */
export const VERBS = [
  "create",
  "pay",
  "pay, extends a service",
  "session open",
  "first page of a history",
  "claimDue, nothing due",
  "claimDue",
  "detail",
  "check-auth",
] as const;

/** The name of a measured kind of calls. */
export type Verb = (typeof VERBS)[number];

/** The measured calls of each kind, and the calls before them that are not measured. */
const CALLS = 640;
const WARM_UPS = 160;
const TOTAL = CALLS + WARM_UPS;
/** The measurement of a slow kind of calls ends after this time, in milliseconds. */
const ENOUGH = 5_000;
const CUSTOMERS = 100;
/** The orders of each customer: two pages of a history. */
const ORDERS_EACH = 30;
const PAGE = { offset: 0, limit: 20 } as const;

/**
 * Fills an empty schema, and returns the measurement of each kind of calls.
 *
 * A measurement runs `callers` concurrent callers, and returns the p50 in milliseconds. Run them in
 * the order of {@link VERBS}.
 */
export async function openCosts(
  sql: SqlClient,
  schema: string,
  callers: number,
): Promise<Readonly<Record<Verb, () => Promise<number>>>> {
  const credentialKeys = [{ version: 1, key: randomBytes(32) }];
  const { orders, sessions } = postgresStores({ sql, schema, credentialKeys });
  const measured = (call: (nth: number) => Promise<unknown>) => measureP50(callers, call);
  const customers = Array.from({ length: CUSTOMERS }, () => unique("customer-"));
  const customerOf = (nth: number) => customers[nth % CUSTOMERS] ?? "";
  const [made, extending, open]: [Order[], Order[], Session[]] = [[], [], []];
  const insert = async (changes: Partial<Order>) => {
    const order = anOrder(changes);
    await expectOk(orders.insertOnce(order, anEntry()));
    return order;
  };
  const fill = (count: number, changes: (nth: number) => Partial<Order>, into: Order[] = []) =>
    inParallel(callers, count, async (nth) => into.push(await insert(changes(nth))));
  await fill(CUSTOMERS * ORDERS_EACH, (nth) => ({ customerIdentity: customerOf(nth) }));
  const service = { serviceTypeNo: "T-1", serviceName: "Member", durationMs: DAY };
  await fill(TOTAL, () => ({ customerIdentity: unique("member-"), service }), extending);

  return {
    create: () => measured(async (nth) => made.push(await insert({ customerIdentity: customerOf(nth) }))),
    pay: () => measured((nth) => expectOk(orders.transition(pick(made, nth), aPayment()))),
    "pay, extends a service": () =>
      measured((nth) => {
        const payment = aPayment({ extendService: { serviceNo: unique("S-") } });
        return expectOk(orders.transition(pick(extending, nth), payment));
      }),
    "session open": () =>
      measured(async () => {
        const session = aSession({ customerId: unique("customer-"), expiresAt: FIXTURE_TIME + DAY });
        open.push(session);
        await expectOk(sessions.open(session, 5));
      }),
    "first page of a history": () =>
      measured((nth) =>
        expectOk(orders.list({ appId: "app_1", customerIdentity: customerOf(nth), ...PAGE })),
      ),
    "claimDue, nothing due": () => measured(() => expectOk(orders.claimDue(FIXTURE_TIME, 10, MINUTE))),
    claimDue: async () => {
      await fill(TOTAL, () => ({ nextQueryAt: FIXTURE_TIME - DAY }));
      // A claim takes up to ten orders. They are due again before the last call.
      return measured((nth) => expectOk(orders.claimDue(FIXTURE_TIME + nth, 10, TOTAL / 10)));
    },
    detail: () =>
      measured((nth) => expectOk(orders.findOwn(pick(made, nth), pick(made, nth).customerIdentity))),
    "check-auth": () => measured((nth) => expectOk(sessions.use(pick(open, nth), FIXTURE_TIME))),
  };
}

async function measureP50(callers: number, call: (nth: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  const started = performance.now();
  await inParallel(callers, TOTAL, async (nth) => {
    const began = performance.now();
    if (began - started > ENOUGH && times.length > WARM_UPS) return;
    await call(nth);
    if (nth >= WARM_UPS) times.push(performance.now() - began);
  });
  return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0;
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
