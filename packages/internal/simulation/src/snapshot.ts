import { type CustomerService, type Order, orThrow, type Refund, type TimelineEvent } from "@tillkit/core";
import {
  BILL_EXCEPTION_STATES,
  type BillException,
  outRefundNo,
  type WalletRefund,
} from "@tillkit/core/ports";
import { type PlannedPurchase, PURCHASES, type Scenario } from "./scenario.js";

/** A stored refund, and the same refund at its wallet. */
export interface RefundSnapshot {
  readonly made: Refund;
  readonly there: WalletRefund | undefined;
}

/** The stored data of one purchase. */
export interface Sale {
  readonly purchase: PlannedPurchase;
  readonly order: Order;
  readonly events: readonly TimelineEvent[];
  readonly refunds: readonly RefundSnapshot[];
}

/** The state that checks read, taken once after each step. */
export interface Snapshot {
  /** The purchases that have an order. */
  readonly sales: readonly Sale[];
  /** The service of each customer that has one, by `customerIdentity`. */
  readonly services: ReadonlyMap<string, CustomerService>;
  /** By hash: whether each issued token is live. */
  readonly tokens: ReadonlyMap<string, boolean>;
  /** The differences between bills and Tillkit's orders, in every state. */
  readonly exceptions: readonly BillException[];
}

/** Checks invariants of a snapshot. Throws if one is violated. */
export type InvariantCheck = (snapshot: Snapshot) => void;

const CUSTOMERS = [...new Set(PURCHASES.map(({ customerIdentity }) => customerIdentity))];

/** Reads the durable state, without faults and without effects. */
export async function readSnapshot(scenario: Scenario): Promise<Snapshot> {
  const { simulation, appId, known } = scenario;
  const sales: Sale[] = [];
  for (const purchase of PURCHASES) {
    const sale = await readSale(scenario, purchase);
    if (sale !== undefined) sales.push(sale);
  }
  const services = new Map<string, CustomerService>();
  for (const customerIdentity of CUSTOMERS) {
    const [service] = await orThrow(simulation.stores.services.list(appId, customerIdentity));
    if (service !== undefined) services.set(customerIdentity, service);
  }
  const tokens = new Map<string, boolean>();
  for (const token of known.tokens) {
    const [customerId = ""] = token.split(".");
    const session = { appId, customerId, tokenHash: simulation.bare.digest.sha256(token) };
    tokens.set(session.tokenHash, await orThrow(simulation.stores.sessions.use(session, simulation.now())));
  }
  const exceptions: BillException[] = [];
  for (const state of BILL_EXCEPTION_STATES) {
    const all = { state, limit: 1_000 };
    exceptions.push(...(await orThrow(simulation.stores.billExceptions.list(all))).items);
  }
  return { sales, services, tokens, exceptions };
}

async function readSale(
  { simulation, appId }: Scenario,
  purchase: PlannedPurchase,
): Promise<Sale | undefined> {
  const { orders, refunds, payTools } = simulation.stores;
  const key = { appId, bizNo: purchase.bizNo };
  const order = await orThrow(orders.find(key));
  if (order === undefined) return undefined;
  const events = await orThrow(orders.timeline(key));
  const booked: RefundSnapshot[] = [];
  for (const made of await orThrow(refunds.list(key))) {
    const account = await orThrow(payTools.find(order.payToolId));
    if (account === undefined) throw new Error("The pay tool of an order is gone.");
    const refundNo = outRefundNo(order, made);
    const { id: outTradeNo, amount: orderAmount } = order;
    const parameters = { outTradeNo, refundNo, amount: 0, orderAmount, reason: "", notifyUrl: "" };
    const wallet = simulation.bare.wallets[order.payChannel];
    booked.push({
      made,
      there: await orThrow(wallet.queryRefund(account, parameters, { deadline: 1 })),
    });
  }
  return { purchase, order, events, refunds: booked };
}
