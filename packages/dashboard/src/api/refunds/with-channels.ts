import type { PayChannel, Ports, Refund } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { ResultAsync } from "neverthrow";

/** A refund in a list, with the channel of its order. */
export interface ListedRefund extends Refund {
  /** Absent if the order does not exist any more. */
  readonly payChannel?: PayChannel;
}

/** Adds the channels of their orders to the refunds of a page. */
export function withChannels(
  { orders }: Pick<Ports, "orders">,
  refunds: readonly Refund[],
): ResultAsync<readonly ListedRefund[], StorageFailure> {
  const keys = new Map(refunds.map(({ appId, bizNo }) => [JSON.stringify([appId, bizNo]), { appId, bizNo }]));
  const reads = [...keys].map(([name, key]) =>
    orders.find(key).map((order) => [name, order?.payChannel] as const),
  );
  return ResultAsync.combine(reads).map((found) => {
    const channels = new Map(found);
    return refunds.map((refund) => {
      const payChannel = channels.get(JSON.stringify([refund.appId, refund.bizNo]));
      return payChannel === undefined ? refund : { ...refund, payChannel };
    });
  });
}
