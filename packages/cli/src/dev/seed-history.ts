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

/** The number of orders that are imported in one call. */
const BATCH_SIZE = 250;
/** The number of orders that are created and paid through the simulated wallets. */
const NEW_ORDERS = 24;

/** The options of {@link seedHistory}. */
export interface HistoryOptions {
  readonly ports: Ports;
  readonly sandbox: Pick<Sandbox, "simulatorControls">;
  /** The app for which the history is stored. */
  readonly appId: string;
  /** The merchant whose bills differ from the stored orders. */
  readonly merchant: Pick<PayTool, "payChannel" | "appEnv" | "accountId">;
  /** Returns whether the host is stopping. */
  readonly isStopping: () => boolean;
}

/**
 * Stores the history of a shop, so that every page of the dashboard has something to show.
 *
 * If a run is interrupted, the next start stores what is missing. Throws if a step fails.
 */
export async function seedHistory({
  ports,
  sandbox,
  appId,
  merchant,
  isStopping,
}: HistoryOptions): Promise<void> {
  const done = await ports.orders.find({ appId, bizNo: newOrderBizNo(NEW_ORDERS - 1) });
  if (done.isErr() || done.value !== undefined || isStopping()) return;
  const now = ports.clock.now();
  const { payChannel, appEnv, accountId } = merchant;
  const history = shopHistory(appId, now, { payChannel, appEnv, accountId });
  for (let from = 0; from < history.orders.length && !isStopping(); from += BATCH_SIZE) {
    const batch = history.orders
      .slice(from, from + BATCH_SIZE)
      .map((order) => unwrapOrExit("order", parseInput(importedOrderInput(ports.policy), order)));
    unwrapOrExit("orders", await importOrders(ports, batch, { operator: "tillkit-dev" }));
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
  await payNewOrders(ports, sandbox, appId, isStopping);
}

const newOrderBizNo = (nth: number): string => `H-today-${String(nth)}`;

/** Creates new orders, lets customers pay most of them, and refunds some as an operator. */
async function payNewOrders(
  ports: Ports,
  { simulatorControls }: Pick<Sandbox, "simulatorControls">,
  appId: string,
  isStopping: () => boolean,
): Promise<void> {
  for (let nth = 0; nth < NEW_ORDERS && !isStopping(); nth += 1) {
    const bizNo = newOrderBizNo(nth);
    const id = await createDemoOrder(ports, appId, bizNo, nth % 3 === 0 ? "WALLET_A" : "WALLET_B");
    // Every sixth customer leaves without paying.
    if (nth % 6 === 5) continue;
    await simulatorControls.pay(id);
    if (nth % 5 !== 2) continue;
    const asked = { bizNo, refundNo: newId(ports), reason: "changed their mind", operator: "tillkit-dev" };
    const amount = nth % 10 === 2 ? {} : { amount: 200 };
    const input = parseInput(refundOrderInput(ports.policy), { ...asked, ...amount });
    await input.asyncAndThen((valid) => refundOrder(ports, appId, valid));
  }
}

/** Creates an order. Returns its `id`, which the wallets call `out_trade_no`. */
async function createDemoOrder(
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
