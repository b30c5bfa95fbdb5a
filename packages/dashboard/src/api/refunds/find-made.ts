import type { OrderKey, Ports, Refund } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import type { RefundApproval } from "@tillkit/core/ports";
import type { ResultAsync } from "neverthrow";

/** What exists under the number of a refund. */
export interface MadeUnderNumber {
  readonly refund: Refund | undefined;
  readonly approval: RefundApproval | undefined;
}

/** Reads the refund and the approval with a number, for the repetition of a change. */
export function findMade(
  { ports }: { readonly ports: Pick<Ports, "refunds" | "refundApprovals"> },
  key: OrderKey,
  number: string,
): ResultAsync<MadeUnderNumber, StorageFailure> {
  return ports.refunds.list(key).andThen((refunds) =>
    ports.refundApprovals.listOfOrder(key).map((approvals) => ({
      refund: refunds.find(({ refundNo }) => refundNo === number),
      approval: approvals.find(({ refundNo }) => refundNo === number),
    })),
  );
}
