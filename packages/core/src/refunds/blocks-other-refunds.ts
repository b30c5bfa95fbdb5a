import type { Refund } from "./refund.js";

/**
 * Returns whether the refund blocks new refunds of its order: it is REQUESTED or SENT.
 *
 * `@tillkit/postgres` repeats the rule in SQL, as `open_refund_nos`.
 */
export function blocksOtherRefunds({ status }: Pick<Refund, "status">): boolean {
  return status === "REQUESTED" || status === "SENT";
}
