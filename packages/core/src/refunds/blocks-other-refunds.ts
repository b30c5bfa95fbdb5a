import type { Refund } from "./refund.js";

/**
 * Returns whether no other refund of the order can begin: the refund is REQUESTED or SENT.
 *
 * `@tillkit/postgres` repeats the rule in SQL, as `open_refund_nos`.
 */
export function blocksOtherRefunds({ status }: Pick<Refund, "status">): boolean {
  return status === "REQUESTED" || status === "SENT";
}
