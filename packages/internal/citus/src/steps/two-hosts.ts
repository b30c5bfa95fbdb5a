import { auditLoad, COUNTED_DAY, openSharedHosts, type SharedHosts } from "@tillkit/crash/shared-hosts";
import { createSchema, dropSchema, freshSchema } from "../cluster-schema.js";
import { type Outcome, outcomeOf } from "../outcome.js";
import { auditProblems } from "./audit-problems.js";
import { orderOf, textIn } from "./requests.js";

/** The number of concurrent calls of each kind. */
const CALLS = 40;

/** Runs two hosts on one database: concurrent creations, payments, logins and reports. */
export async function twoHosts(url: string): Promise<Outcome> {
  const schema = freshSchema();
  const hosts = await openSharedHosts({
    databaseUrl: url,
    schema,
    direct: true,
    querySchedule: [1_000, 2_000, 3_600_000],
    prepare: () => createSchema(url, schema),
  });
  try {
    return await callConcurrently(hosts);
  } finally {
    await hosts.close();
    await dropSchema(url, schema);
  }
}

async function callConcurrently(hosts: SharedHosts): Promise<Outcome> {
  const problems: string[] = [];
  const measured: string[] = [];
  const all = async <T>(kind: string, call: (nth: number) => Promise<{ ok: boolean; value: T }>) => {
    const began = performance.now();
    const results = await Promise.all(Array.from({ length: CALLS }, (_, nth) => call(nth)));
    const failed = results.filter(({ ok }) => !ok);
    measured.push(
      `${String(CALLS)} ${kind}: ${String(CALLS - failed.length)} succeeded, ${(performance.now() - began).toFixed(0)} ms`,
    );
    if (failed.length > 0) problems.push(`${kind} failed: ${JSON.stringify(failed[0]?.value)}`);
    return results.map(({ value }) => value);
  };
  const succeeded = ({ status, body }: { status: number; body: unknown }) => ({
    ok: status === 200 && !/"code":[1-9]/.test(JSON.stringify(body)),
    value: body,
  });
  const record = {
    began: Date.now(),
    tokens: [],
    problems: [],
    reports: 0,
    requests: 0,
    failed: 0,
    orders: Array.from({ length: CALLS }, (_, nth) => ({
      bizNo: `b-${String(nth)}`,
      customer: `c-${String(nth % 8)}`,
      id: "",
      paid: false,
    })),
  };
  await all("creations", async (nth) =>
    succeeded(await hosts.ask(nth, "/pay/order.json", orderOf(record.orders[nth]))),
  );
  const orders = hosts.openStores();
  for (const order of record.orders) {
    const found = await orders.stores.orders.find({ appId: hosts.appId, bizNo: order.bizNo });
    order.id = found.unwrapOr(undefined)?.id ?? "";
  }
  await orders.sql.close();
  await all("payments", async (nth) => {
    const paid = await hosts.simulators.sandbox.simulatorControls.pay(record.orders[nth]?.id ?? "");
    const order = record.orders[nth];
    if (order !== undefined) order.paid = paid.isOk();
    return { ok: paid.isOk() && paid.value.notified, value: paid };
  });
  await all("logins", async (nth) => {
    const mobileNo = `136${String(10_000_000 + nth)}`;
    const code = await hosts.ask(nth, `/pay/sms.json?mobileNo=${mobileNo}`);
    if (!succeeded(code).ok) return succeeded(code);
    const body = JSON.stringify({ mobileNo, authCode: textIn(await hosts.messagesTo(mobileNo), "authCode") });
    return succeeded(await hosts.ask(nth + 1, "/pay/auth.json", { method: "POST", body }));
  });
  const report = `/misc/v2/downloads-api?id=many-requests-a-day&start=${COUNTED_DAY}&end=${COUNTED_DAY}`;
  await all("reports", async (nth) => succeeded(await hosts.ask(nth, report)));
  return outcomeOf([...problems, ...auditProblems(await auditLoad(hosts, record))], measured);
}
