import { at, listAt, textAt } from "../testing/json.js";
import { COUNTED_DAY, type SharedHosts } from "./open-shared-hosts.js";

/** An order that a customer of the load created. */
export interface LoadedOrder {
  readonly bizNo: string;
  readonly customer: string;
  /** The number of the order, if a response stated one. */
  id?: string;
  /** Whether the wallet confirmed the payment. */
  paid: boolean;
}

/** What the callers of a load know. */
export interface LoadRecord {
  readonly began: number;
  /** The orders whose creation was acknowledged. */
  readonly orders: LoadedOrder[];
  /** Tokens that a login returned. */
  readonly tokens: string[];
  reports: number;
  requests: number;
  /** Requests that failed and were repeated. */
  failed: number;
  /** Problems that a repetition does not solve. */
  readonly problems: string[];
}

/** The options of {@link playLoad}. */
export interface LoadOptions {
  /** The number of customers who buy at the same time. A quarter as many callers log in. */
  readonly lanes: number;
  /** Returns whether no new purchase may begin. */
  readonly ending: () => boolean;
  /** Distinguishes the orders and phone numbers of several loads on one database. */
  readonly run?: number;
}

interface Purchase {
  readonly bizNo: string;
  readonly customer: string;
  readonly lane: number;
  readonly pays: boolean;
}

/** How long a request is repeated until it succeeds, in milliseconds. */
const PATIENCE = 120_000;

/** Lets customers create and pay orders, log in and request reports, until `ending`. */
export async function playLoad(
  hosts: SharedHosts,
  { lanes, ending, run = 0 }: LoadOptions,
): Promise<LoadRecord> {
  const record: LoadRecord = {
    began: Date.now(),
    orders: [],
    tokens: [],
    problems: [],
    reports: 0,
    requests: 0,
    failed: 0,
  };
  const buyers = Array.from({ length: lanes }, async (_, lane) => {
    for (let nth = 0; !ending(); nth += 1)
      await noted(record, () =>
        buy(hosts, record, {
          bizNo: `r${run}-${lane}-${nth}`,
          customer: `c${run}-${lane}-${nth % 3}`,
          lane,
          // One customer in eight does not pay.
          pays: nth % 8 !== 7,
        }),
      );
  });
  const others = Array.from({ length: Math.ceil(lanes / 4) }, async (_, lane) => {
    for (let nth = 0; !ending(); nth += 1)
      await noted(record, () =>
        logIn(hosts, record, `13${run % 10}${lane % 10}${String(1_000_000 + nth)}`, lane),
      );
  });
  await Promise.all([...buyers, ...others]);
  return record;
}

async function noted(record: LoadRecord, work: () => Promise<void>): Promise<void> {
  await work().catch((problem: unknown) => void record.problems.push(String(problem)));
}

async function buy(hosts: SharedHosts, record: LoadRecord, purchase: Purchase) {
  const { bizNo, customer, lane, pays } = purchase;
  const terms = { bizNo, customerIdentity: customer, amount: 600, goodsTitle: bizNo };
  const body = JSON.stringify({ ...terms, payChannel: "WALLET_A", serviceTypeNo: "month" });
  await persist(hosts, record, lane, "/pay/order.json", { method: "POST", body });
  const order: LoadedOrder = { bizNo, customer, paid: false };
  record.orders.push(order);
  const detail = `/pay/detail.json?${new URLSearchParams({ bizNo, customerIdentity: customer }).toString()}`;
  const id = textAt(await persist(hosts, record, lane + 1, detail), "data", "id");
  order.id = id;
  if (!pays) return;
  const paid = await hosts.simulators.sandbox.simulatorControls.pay(id);
  if (paid.isErr()) throw new Error(`${bizNo}: the wallet refused the payment: ${paid.error.message}`);
  order.paid = true;
}

async function logIn(hosts: SharedHosts, record: LoadRecord, mobileNo: string, lane: number) {
  await persist(hosts, record, lane, `/pay/sms.json?mobileNo=${mobileNo}`);
  const authCode = textAt(listAt(await hosts.messagesTo(mobileNo)).at(-1), "authCode");
  const body = JSON.stringify({ mobileNo, authCode });
  // Sent once: a failed request may have used up the code.
  const token = await once(hosts, record, lane, "/pay/auth.json", { method: "POST", body });
  if (token !== undefined) record.tokens.push(textAt(token, "data", "token"));
  await persist(
    hosts,
    record,
    lane,
    `/misc/v2/downloads-api?id=many-requests-a-day&start=${COUNTED_DAY}&end=${COUNTED_DAY}`,
  );
  record.reports += 1;
}

/** Sends a request. Returns the response if it succeeded. */
async function once(
  hosts: SharedHosts,
  record: LoadRecord,
  lane: number,
  path: string,
  init?: RequestInit,
): Promise<unknown> {
  record.requests += 1;
  const response = await hosts.ask(lane, path, init).catch(() => undefined);
  const code: unknown = at(response, "body", "code");
  if (response?.status === 200 && (code === 0 || code === undefined)) return response.body;
  record.failed += 1;
  return undefined;
}

/** Repeats a request until it succeeds. */
async function persist(
  hosts: SharedHosts,
  record: LoadRecord,
  lane: number,
  path: string,
  init?: RequestInit,
): Promise<unknown> {
  for (const began = Date.now(); Date.now() - began < PATIENCE;) {
    const body = await once(hosts, record, lane, path, init);
    if (body !== undefined) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${path} failed for ${String(PATIENCE / 1_000)} s.`);
}
