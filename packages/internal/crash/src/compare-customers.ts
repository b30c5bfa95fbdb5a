import { businessDay, defaultPolicy } from "@tillkit/core";
import { at, listAt } from "./testing/json.js";
import type { CrashFinding, ClientRecords, PurchaseRecord } from "./client-records.js";
import type { RunningHost } from "./crash-environment.js";

/** The time that one order buys, in milliseconds: the service type of the demo app. */
const MONTH = 30 * 86_400_000;

/** The beginning and the end of a crash test run, in epoch milliseconds. */
export interface Period {
  readonly began: number;
  readonly ended: number;
}

/**
 * Compares what the host stores about customers with the responses that they received.
 *
 * Runs when nothing is in progress any more.
 */
export async function compareCustomers(
  { purchases, tokens, quotas }: ClientRecords,
  { caller }: RunningHost,
  period: Period,
): Promise<readonly CrashFinding[]> {
  const findings: CrashFinding[] = [];
  const find = (kind: CrashFinding["kind"], what: string) => void findings.push({ kind, bizNo: "", what });
  for (const token of tokens) {
    const valid = await caller.get(`/checkAuth.json?token=${token}`);
    if (at(valid, "data") !== true) find("lost", "an acknowledged login is not valid");
  }
  for (const [mobileNo, accepted] of quotas) {
    const sent = listAt(await caller.control(`sms?mobileNo=${mobileNo}`));
    const days = sent.map((sms) => businessDay(defaultPolicy.timeZone, Number(at(sms, "at"))).date);
    const most = Math.max(0, ...days.map((day) => days.filter((other) => other === day).length));
    if (most > defaultPolicy.smsPerDay)
      find("duplicated", `${String(most)} codes were sent to one number on one day`);
    if (sent.length < accepted) find("lost", "an acknowledged code was not sent");
  }
  const ofCustomers = new Map<string, PurchaseRecord[]>();
  for (const purchase of purchases.values()) {
    const { customer } = purchase;
    ofCustomers.set(customer, [...(ofCustomers.get(customer) ?? []), purchase]);
  }
  for (const [customer, bought] of ofCustomers) {
    const history = await caller.get(`/history.json?customerIdentity=${customer}`);
    const count = at(history, "data", "totalCount");
    if (count !== bought.length)
      find(
        "contradiction",
        `${customer} asked for ${String(bought.length)} orders and sees ${String(count)}`,
      );
    const services = await caller.get(`/customerServiceMgmt/${customer}.json`);
    const ends = listAt(services, "data", "customerServiceList").map((one) => Number(at(one, "expireTime")));
    for (const [kind, what] of serviceFindings(bought.filter(keeps).length, ends, period))
      find(kind, `${customer}: ${what}`);
  }
  return findings;
}

function keeps({ paid, amount, refunds }: PurchaseRecord): boolean {
  return paid && [...refunds.values()].reduce((sum, refund) => sum + refund.amount, 0) < amount;
}

/**
 * Returns what is wrong with a customer's services.
 *
 * @param kept - the number of paid orders that were not completely refunded.
 * @param ends - the end times of the services, in epoch milliseconds.
 */
export function serviceFindings(
  kept: number,
  ends: readonly number[],
  { began, ended }: Period,
): readonly (readonly [CrashFinding["kind"], string])[] {
  const [end] = ends;
  if (ends.length > 1) return [["duplicated", "there are two services of one type"]];
  if (end === undefined) return kept === 0 ? [] : [["lost", "there is no service"]];
  // One month per order, counted from a payment within the run.
  const start = end - kept * MONTH;
  if (start > ended) return [["duplicated", "the service was extended more often than paid for"]];
  return kept > 0 && start < began ? [["lost", "the service was extended less often than paid for"]] : [];
}
