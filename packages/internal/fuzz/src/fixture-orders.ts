import {
  createOrder,
  createOrderInput,
  type Order,
  orThrow,
  PAY_CHANNELS,
  parseInput,
  type PayChannel,
  type Ports,
  refundOrder,
  refundOrderInput,
  receiveNotification,
} from "@tillkit/core";
import { closeOrder, closeOrderInput } from "@tillkit/core/operators";
import type { MemoryWallet } from "@tillkit/memory";

/** The states of the prepared orders. */
export const ORDER_STAGES = ["pending", "paid", "partly", "refunding", "refunded", "closed"] as const;
/** The state of a prepared order. */
export type OrderStage = (typeof ORDER_STAGES)[number];

/** The customer of the prepared orders. */
export const CUSTOMER = "customer-1";

/** The parameters of a prepared order. */
export interface Wanted {
  readonly bizNo: string;
  readonly payChannel: PayChannel;
  readonly customerIdentity: string;
  readonly amount: number;
  readonly goodsTitle: string;
  readonly serviceTypeNo: string;
}

type Wallets = Readonly<Record<PayChannel, MemoryWallet>>;

/** Returns the `bizNo` of the order in this state at a wallet. */
export function bizNoOf(fate: OrderStage, payChannel: PayChannel): string {
  return `${fate}-${payChannel.slice(-1)}`;
}

/** Creates an order in every state at both wallets. */
export async function openOrders(
  ports: Ports,
  wallets: Wallets,
  appId: string,
  serviceTypeNo: string,
): Promise<readonly Wanted[]> {
  const all: Wanted[] = [];
  for (const payChannel of PAY_CHANNELS)
    for (const fate of ORDER_STAGES) {
      const bizNo = bizNoOf(fate, payChannel);
      const terms = { customerIdentity: CUSTOMER, amount: 600, goodsTitle: "VIP", serviceTypeNo };
      const wanted = { bizNo, payChannel, ...terms };
      const input = orThrow(parseInput(createOrderInput(ports.policy), wanted));
      const { order } = await orThrow(createOrder(ports, appId, input));
      await meet(fate, order, { ...ports, wallets }, wallets[payChannel]);
      all.push(wanted);
    }
  return all;
}

async function meet(fate: OrderStage, order: Order, ports: Ports, wallet: MemoryWallet): Promise<void> {
  const byOperator = { bizNo: order.bizNo, reason: "asked to", operator: "han" };
  if (fate === "pending") return;
  if (fate === "closed") {
    const input = orThrow(parseInput(closeOrderInput(ports.policy), byOperator));
    await orThrow(closeOrder(ports, order.appId, input));
    return;
  }
  wallet.pay(order.id);
  const orderRef = order.notifyUrl.split("/").at(-1) ?? "";
  const address = { payChannel: order.payChannel, payToolId: order.payToolId, orderRef };
  await orThrow(receiveNotification(ports, address, wallet.notificationFor(order.id)));
  if (fate === "paid") return;
  if (fate === "refunding") wallet.holdNextRefund();
  const refund = { ...byOperator, refundNo: `r-${order.bizNo}`, amount: fate === "refunded" ? 600 : 200 };
  const input = orThrow(parseInput(refundOrderInput(ports.policy), refund));
  const refunded = await refundOrder(ports, order.appId, input);
  // The wallet holds the refund, so its outcome is unknown, as this state requires.
  if (refunded.isErr() && fate !== "refunding") throw new Error(`The refund failed: ${refunded.error.name}`);
}
