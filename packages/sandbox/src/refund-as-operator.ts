import { setTimeout } from "node:timers/promises";
import { newId, parseInput, type Ports, type Refund, refundOrder, refundOrderInput } from "@tillkit/core";
import { fail, type Failure } from "@tillkit/core/errors";
import { ok, ResultAsync } from "neverthrow";
import { findHostOrder } from "./find-host-order.js";

/**
 * A refund that the host's operator asks for. `amount` is cents, by default the rest of the order.
 */
export interface HostRefundRequest {
  readonly bizNo: string;
  readonly amount?: number | undefined;
}

/**
 * Refunds an order as the operator of the host would.
 *
 * The first app that has the order is its app. Every call is a separate refund. Without an amount,
 * it refunds the remaining amount. Waits up to three seconds for the end of the refund, because a
 * person looks at the answer.
 *
 * @returns the refund, or the failure if the host or the wallet refuses it.
 * @example
 * ```ts
 * import { orThrow } from "@tillkit/core";
 * import { refundAsOperator } from "@tillkit/sandbox";
 *
 * const { status } = await orThrow(refundAsOperator(ports, { bizNo: "buy-1001", amount: 100 }));
 * ```
 */
export function refundAsOperator(
  ports: Ports,
  { bizNo, amount }: HostRefundRequest,
): ResultAsync<Refund, Failure> {
  const asked = { bizNo, amount, refundNo: newId(ports), reason: "tried out", operator: "sandbox" };
  return parseInput(refundOrderInput(ports.policy), asked).asyncAndThen((input) =>
    findHostOrder(ports, bizNo)
      .andThen((order) => (order === undefined ? fail("order.not-found") : ok(order.appId)))
      .andThen((appId) => refundOrder(ports, appId, input))
      .andThen((refund) => ResultAsync.fromSafePromise(whenEnded(ports, refund))),
  );
}

/** The longest wait for the end of a refund, and the pause between two reads, in milliseconds. */
const LONGEST_WAIT = 3_000;
const PAUSE = 100;

/** Returns the refund after its end, or as it is when the wait is over. */
async function whenEnded(ports: Pick<Ports, "refunds">, refund: Refund): Promise<Refund> {
  let current = refund;
  for (let waited = 0; current.status === "SENT" && waited < LONGEST_WAIT; waited += PAUSE) {
    await setTimeout(PAUSE);
    const refunds = await ports.refunds.list(current).unwrapOr([]);
    current = refunds.find(({ refundNo }) => refundNo === refund.refundNo) ?? current;
  }
  return current;
}
