import {
  aCode,
  aKeyedHash,
  anEntry,
  anOrder,
  aPayment,
  aSession,
  FIXTURE_TIME,
  DAY,
  race,
  unique,
  tryLimits,
} from "@tillkit/contract-tests";
import type { Stores } from "@tillkit/core";
import type { FullRunOptions } from "./full-run.js";

/** The number of calls per batch. It is larger than the number of customers. */
const CALLS = 6;

/** Runs every batched method with a batch of calls. */
export async function batchedRun(
  { orders, codes, quotas, sessions }: Stores,
  { appId, customers }: FullRunOptions,
): Promise<void> {
  const made = await race(CALLS, () =>
    orders.insertOnce(anOrder({ appId, nextQueryAt: FIXTURE_TIME }), anEntry()),
  );
  const nth = (call: number) => made[call % made.length] ?? anOrder();
  await race(CALLS, (call) => orders.find(nth(call)));
  await race(CALLS, (call) =>
    orders.attachPrepayment(nth(call), {
      issuedAt: FIXTURE_TIME,
      validUntil: FIXTURE_TIME + DAY,
      values: {},
    }),
  );
  await race(CALLS, (call) => orders.transition(nth(call), aPayment()));
  const service = { serviceTypeNo: "T-1", serviceName: "Member", durationMs: DAY };
  const purchases = await race(CALLS, () => orders.insertOnce(anOrder({ appId, service }), anEntry()));
  const extension = aPayment({ extendService: { serviceNo: unique("S-") } });
  await race(CALLS, (call) => orders.transition(purchases[call] ?? anOrder(), extension));
  const page = (call: number) => ({
    appId,
    offset: call,
    limit: 20,
    customerIdentity: customers[call % customers.length] ?? "",
  });
  await race(CALLS, (call) => orders.list(page(call)));
  await race(CALLS, (call) => orders.list({ ...page(call), paymentStatus: "PAID" }));
  await race(CALLS, () => sessions.identify(appId, [aKeyedHash()], unique("customer-"), FIXTURE_TIME));
  const members = Array.from({ length: CALLS }, () => unique("customer-"));
  const logIn = (call: number) => sessions.open(aSession({ appId, customerId: members[call] ?? "" }), 5);
  await race(CALLS, logIn);
  // The customers log in again.
  await race(CALLS, logIn);
  await race(CALLS, () => sessions.use(aSession({ appId }), FIXTURE_TIME));
  const code = aCode({ appId });
  await race(CALLS, () => codes.add({ ...code, phoneHash: aKeyedHash() }, tryLimits()));
  await race(CALLS, () => codes.attempt({ ...code, phoneHash: aKeyedHash() }, tryLimits()));
  const key = () => ({ scope: "sms", subject: unique("s-") }) as const;
  await race(CALLS, () => quotas.take(key(), { day: "2026-01-15", limit: 1, now: FIXTURE_TIME, spacing: 0 }));
  await race(CALLS, () => quotas.giveBack(key(), "2026-01-15"));
}
