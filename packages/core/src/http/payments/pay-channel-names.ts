import * as z from "zod";
import { PAY_CHANNELS, type PayChannel } from "../../pay-tools/pay-tool.js";
import type { Policy } from "../../policy.js";
import { issue, perPolicy } from "../../shared/input.js";
import { createOrderSchema } from "../../orders/create-order-input.js";

/** The part of the policy that names the channels. */
export type ChannelNaming = Pick<Policy, "payChannelNames">;

/** Returns the name under which callers know the channel. */
export function nameOfPayChannel({ payChannelNames }: ChannelNaming, payChannel: PayChannel): string {
  return payChannelNames[payChannel];
}

/** The schema of a channel in an answer: one of the two names of the policy. */
export const payChannelName = perChannelNames((policy) =>
  z.enum(PAY_CHANNELS.map((payChannel) => nameOfPayChannel(policy, payChannel))).meta({ id: "PayChannel" }),
);

/** Wraps the builder of a response schema, so that it runs once per pair of names. */
export function perChannelNames<S>(build: (policy: ChannelNaming) => S): (policy: ChannelNaming) => S {
  const cache = new WeakMap<ChannelNaming["payChannelNames"], S>();
  return (policy) => {
    const entry = cache.get(policy.payChannelNames) ?? build(policy);
    cache.set(policy.payChannelNames, entry);
    return entry;
  };
}

/** The schema of a channel in a request. It accepts only the two names of the policy. */
function payChannelInput({ payChannelNames: { WALLET_A, WALLET_B } }: ChannelNaming) {
  return z
    .enum([WALLET_A, WALLET_B], issue("pay-channel.invalid"))
    .transform((name): PayChannel => (name === WALLET_A ? "WALLET_A" : "WALLET_B"));
}

/** Body of `POST /order.json`. `payChannel` has the name that the policy gives the channel. */
export const createOrderRequest = perPolicy((policy) => createOrderSchema(policy, payChannelInput(policy)));
