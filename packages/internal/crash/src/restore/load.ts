import {
  createOrder,
  createOrderInput,
  orThrow,
  parseInput,
  PAY_CHANNELS,
  type PayChannel,
  refundOrder,
  refundOrderInput,
} from "@tillkit/core";
import { closeOrder, closeOrderInput } from "@tillkit/core/operators";
import { type ChoiceSource, seededChoices } from "@tillkit/simulation/choice-source";
import type { Service } from "./service.js";

/** The number of customers who buy at the same time. */
const LANES = 4;

/** What a caller stored about one of its orders. Amounts are cents. */
export interface CallersOrder {
  readonly bizNo: string;
  /** The order's number at the wallet, from the response to the creation. */
  readonly id: string;
  readonly payChannel: PayChannel;
  readonly amount: number;
  readonly createdAt: number;
  /** When the customer paid, in epoch milliseconds. */
  paidAt?: number;
  /** The confirmed refunds. */
  refunded: number;
}

/** Continuous load on a service. */
export interface Load {
  /** Every order whose creation was acknowledged. */
  readonly orders: readonly CallersOrder[];
  /** Resolves after `count` further orders. */
  more(count: number): Promise<void>;
  /** Ends the load after the running calls. */
  end(): Promise<void>;
}

/** Creates an order. Returns `undefined` if the service cannot respond or refuses. */
export async function placeOrder(
  { ports, appId }: Service,
  terms: Pick<CallersOrder, "bizNo" | "payChannel" | "amount">,
): Promise<CallersOrder | undefined> {
  const current = ports();
  const given = { ...terms, customerIdentity: `of-${terms.bizNo}`, goodsTitle: terms.bizNo };
  const input = orThrow(parseInput(createOrderInput(current.policy), given));
  const created = await createOrder(current, appId, input);
  if (created.isErr()) return undefined;
  const { id, gmtCreate } = created.value.order;
  return { ...terms, id, createdAt: gmtCreate, refunded: 0 };
}

/** Pays an order at its wallet. */
export async function payOrder({ sandbox }: Service, order: CallersOrder): Promise<void> {
  const paid = await sandbox.simulatorControls.pay(order.id);
  if (paid.isOk()) order.paidAt = sandbox.clock.now();
}

/** Starts customers who buy, return later to pay, cancel, and are refunded. */
export function startLoad(service: Service, seed: number): Load {
  const orders: CallersOrder[] = [];
  const unpaid: CallersOrder[] = [];
  const paid: CallersOrder[] = [];
  let ending = false;
  let goal = { count: Infinity, reached: (): void => undefined };

  async function buy(lane: number, nth: number, choices: ChoiceSource): Promise<void> {
    const payChannel = PAY_CHANNELS[choices.next(PAY_CHANNELS.length)] ?? "WALLET_A";
    const bizNo = `b${String(lane)}-${String(nth)}`;
    const order = await placeOrder(service, { bizNo, payChannel, amount: 100 + choices.next(9_900) });
    if (order === undefined) return;
    orders.push(order);
    if (orders.length >= goal.count) goal.reached();
    const plan = choices.next(10);
    if (plan < 5) await pay(order);
    else if (plan < 9) unpaid.push(order);
    else await cancel(order);
    // An earlier customer returns. The most recent orders stay unpaid for a while.
    if (choices.next(3) === 0 && unpaid.length > 30) await pay(unpaid.shift());
    if (choices.next(3) === 0 && paid.length > 20)
      await refund(paid.splice(choices.next(paid.length), 1)[0], choices);
  }

  async function pay(order: CallersOrder | undefined): Promise<void> {
    if (order === undefined) return;
    await payOrder(service, order);
    if (order.paidAt !== undefined) paid.push(order);
  }

  async function cancel({ bizNo }: CallersOrder): Promise<void> {
    const { ports, appId } = service;
    const given = { bizNo, reason: "the customer left", operator: "caller" };
    const input = orThrow(parseInput(closeOrderInput(ports().policy), given));
    await closeOrder(ports(), appId, input);
  }

  async function refund(order: CallersOrder | undefined, choices: ChoiceSource): Promise<void> {
    if (order === undefined) return;
    const isPartial = choices.next(2) === 0;
    const amount = isPartial ? 1 + choices.next(order.amount - 1) : order.amount;
    const { ports, appId } = service;
    const given = { bizNo: order.bizNo, refundNo: "r1", amount, reason: "returned", operator: "caller" };
    const input = orThrow(parseInput(refundOrderInput(ports().policy), given));
    const refunded = await refundOrder(ports(), appId, input);
    if (refunded.isOk()) order.refunded = amount;
  }

  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const choices = seededChoices(seed * 1_000 + lane);
    for (let nth = 0; !ending; nth += 1) await buy(lane, nth, choices);
  });
  return {
    orders,
    more: (count) =>
      new Promise((resolve) => {
        goal = { count: orders.length + count, reached: resolve };
      }),
    end: async () => {
      ending = true;
      await Promise.all(lanes);
    },
  };
}
