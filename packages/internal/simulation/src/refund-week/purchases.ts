import { createOrder, createOrderInput, type Order, parseInput, type PayChannel } from "@tillkit/core";
import type { Environment } from "./environment.js";

/** Creates an order and lets its customer pay it. Throws if either fails. */
export async function paidOrder(
  { ports, appId, sandbox }: Environment,
  payChannel: PayChannel,
  bizNo: string,
  amount: number,
): Promise<Order> {
  const wanted = { bizNo, customerIdentity: `of-${bizNo}`, amount, goodsTitle: "Thirty days", payChannel };
  const input = parseInput(createOrderInput(ports.policy), wanted)._unsafeUnwrap();
  // The timeout of the adapters is so short that a call may reach it on a busy machine.
  let created = await createOrder(ports, appId, input);
  while (created.isErr() && created.error.name === "wallet-a.unavailable")
    created = await createOrder(ports, appId, input);
  const { order } = created._unsafeUnwrap();
  const paid = (await sandbox.simulatorControls.pay(order.id))._unsafeUnwrap();
  if (!paid.notified) throw new Error(`The service did not take the payment of ${bizNo}.`);
  return order;
}
