import { anEntry, anOrder, aSession, AT, DAY, race } from "@tillkit/contract-tests";
import type { Stores } from "@tillkit/core";
import type { FullRunOptions } from "./full-run.js";

/** How many calls share a statement, more than one for each of the customers. */
const CALLS = 6;

/** Every verb whose calls share statements, by calls that do. */
export async function groupedRun(
  { orders, sessions }: Stores,
  { appId, customers }: FullRunOptions,
): Promise<void> {
  const made = await race(CALLS, () => orders.insertOnce(anOrder({ appId, nextQueryAt: AT }), anEntry()));
  const nth = (call: number) => made[call % made.length] ?? anOrder();
  await race(CALLS, (call) => orders.find(nth(call)));
  await race(CALLS, (call) =>
    orders.attachPrepayment(nth(call), { issuedAt: AT, validUntil: AT + DAY, values: {} }),
  );
  const page = (call: number) => ({
    ...{ appId, offset: call, limit: 20 },
    customerIdentity: customers[call % customers.length] ?? "",
  });
  await race(CALLS, (call) => orders.list(page(call)));
  await race(CALLS, (call) => orders.list({ ...page(call), paymentStatus: "PAID" }));
  await race(CALLS, () => sessions.isLive(aSession({ appId }), AT));
}
