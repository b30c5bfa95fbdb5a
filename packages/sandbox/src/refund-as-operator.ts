import { setTimeout } from "node:timers/promises";
import { newId, parseInput, type Ports, type Refund, refundOrder, refundOrderInput } from "@tillkit/core";
import { ERROR_CATALOG, fail, type Failure, failureMessage } from "@tillkit/core/errors";
import { ok, ResultAsync } from "neverthrow";
import { findHostOrder } from "./find-host-order.js";

/**
 * A refund that the host's operator asks for. `amount` is cents, by default the rest of the order.
 */
export interface HostRefundRequest {
  readonly bizNo: string;
  readonly amount?: number | undefined;
}

/** The response of the host: the HTTP status and a JSON object. */
export interface HostRefundAnswer {
  readonly status: number;
  readonly body: object;
}

/**
 * Refunds an order as the operator of the host would.
 *
 * The first app that has the order is its app. Every call is a separate refund. Without an amount,
 * it refunds the remaining amount. Waits up to three seconds for the end of the refund, because a
 * person looks at the answer.
 *
 * @returns the refund with HTTP status 200, or the failure's name, code and message with its
 *   status.
 * @example
 * ```ts
 * import { refundAsOperator } from "@tillkit/sandbox";
 *
 * const { status, body } = await refundAsOperator(ports, { bizNo: "buy-1001", amount: 100 });
 * ```
 */
export async function refundAsOperator(
  ports: Ports,
  { bizNo, amount }: HostRefundRequest,
): Promise<HostRefundAnswer> {
  const asked = { bizNo, amount, refundNo: newId(ports), reason: "tried out", operator: "sandbox" };
  const input = parseInput(refundOrderInput(ports.policy), asked);
  if (input.isErr()) return refused(input.error);
  return findHostOrder(ports, bizNo)
    .andThen((order) => (order === undefined ? fail("order.not-found") : ok(order.appId)))
    .andThen((appId) => refundOrder(ports, appId, input.value))
    .andThen((refund) => ResultAsync.fromSafePromise(whenEnded(ports, refund)))
    .match(({ refundNo, amount: cents, status }): HostRefundAnswer => {
      return { status: 200, body: { bizNo, refundNo, amount: cents, status } };
    }, refused);
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

function refused(failure: Failure): HostRefundAnswer {
  const { code, status } = ERROR_CATALOG[failure.name];
  return { status, body: { error: failureMessage(failure, "en"), name: failure.name, code } };
}
