import {
  createOrder,
  createOrderInput,
  importedOrderInput,
  importOrders,
  newId,
  parseInput,
  type PayTool,
  type Ports,
  refundOrder,
  refundOrderInput,
} from "@tillkit/core";
import type { Sandbox } from "@tillkit/sandbox";
import { shopHistory } from "./history.js";
import { unwrapOrExit } from "./unwrap-or-exit.js";

const BATCH = 250;
/** Orders of this start, which go through the simulated wallets. */
const PAYMENTS = 24;

/** What {@link seedHistory} needs. */
export interface HistoryOptions {
  readonly ports: Ports;
  readonly sandbox: Pick<Sandbox, "simulatorControls">;
  /** The app that gets the history. */
  readonly appId: string;
  /** The merchant whose bills differ from the stored orders. */
  readonly merchant: Pick<PayTool, "payChannel" | "appEnv" | "accountId">;
  /** Whether the host stops. */
  readonly isStopping: () => boolean;
}

/**
 * Stores the history of a shop, so that every page of the dashboard has something to show.
 *
 * An interrupted run continues at the next start: each step stores what is missing. Throws if a
 * step fails.
 */
export async function seedHistory({
  ports,
  sandbox,
  appId,
  merchant,
  isStopping,
}: HistoryOptions): Promise<void> {
  const done = await ports.orders.find({ appId, bizNo: bizNoOf(PAYMENTS - 1) });
  if (done.isErr() || done.value !== undefined || isStopping()) return;
  const now = ports.clock.now();
  const { payChannel, appEnv, accountId } = merchant;
  const history = shopHistory(appId, now, { payChannel, appEnv, accountId });
  for (let from = 0; from < history.orders.length && !isStopping(); from += BATCH) {
    const batch = history.orders
      .slice(from, from + BATCH)
      .map((order) => unwrapOrExit("order", parseInput(importedOrderInput(ports.policy), order)));
    unwrapOrExit("orders", await importOrders(ports, batch, { operator: "quickstart" }));
  }
  for (const [bizNo, reason] of history.alarms) {
    const entry = {
      type: "MISMATCH",
      at: now,
      actor: "wallet",
      reason,
      evidence: bizNo,
      alarm: true,
    } as const;
    unwrapOrExit("alarm", await ports.orders.record({ appId, bizNo }, entry));
  }
  unwrapOrExit("bill exceptions", await ports.billExceptions.report(history.exceptions));
  await pay(ports, sandbox, appId, isStopping);
}

const bizNoOf = (nth: number): string => `H-today-${String(nth)}`;

/** Lets customers pay some orders, and an operator refund some of them. */
async function pay(
  ports: Ports,
  { simulatorControls }: Pick<Sandbox, "simulatorControls">,
  appId: string,
  isStopping: () => boolean,
): Promise<void> {
  for (let nth = 0; nth < PAYMENTS && !isStopping(); nth += 1) {
    const bizNo = bizNoOf(nth);
    const id = await place(ports, appId, bizNo, nth % 3 === 0 ? "WALLET_A" : "WALLET_B");
    // Every sixth customer leaves without paying.
    if (nth % 6 === 5) continue;
    await simulatorControls.pay(id);
    if (nth % 5 !== 2) continue;
    const asked = { bizNo, refundNo: newId(ports), reason: "changed their mind", operator: "quickstart" };
    const amount = nth % 10 === 2 ? {} : { amount: 200 };
    const input = parseInput(refundOrderInput(ports.policy), { ...asked, ...amount });
    await input.asyncAndThen((valid) => refundOrder(ports, appId, valid));
  }
}

/** Returns the order's number at the wallet. */
async function place(
  ports: Ports,
  appId: string,
  bizNo: string,
  payChannel: "WALLET_A" | "WALLET_B",
): Promise<string> {
  const terms = { bizNo, payChannel, amount: 600, goodsTitle: "One month", customerIdentity: "customer-1" };
  const input = unwrapOrExit("order", parseInput(createOrderInput(ports.policy), terms));
  const { order } = unwrapOrExit("order", await createOrder(ports, appId, input));
  return order.id;
}
