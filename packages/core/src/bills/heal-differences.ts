import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { canChangeAtWallet } from "../orders/can-change-at-wallet.js";
import { refreshOrder, type RefreshPorts } from "../orders/refresh-order.js";
import { adoptFoundRefund } from "../refunds/adopt-refund.js";
import type { RefundPorts } from "../refunds/refund-call.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { Difference } from "./compare-bill.js";

/** The ports that {@link healDifferences} uses. */
export type HealPorts = RefreshPorts & RefundPorts & Pick<Ports, "billExceptions">;

/**
 * Queries the wallet about payments and refunds that its bill lists and Tillkit has not confirmed.
 *
 * Adopts (stores) a refund that Tillkit does not have. If the wallet refunded a second payment of
 * the order, Tillkit only adds an entry to the timeline.
 *
 * A bill is not signed, so it is only a reason to query the wallet. Only the wallet's verified
 * answer changes an order or a refund. A difference stays OPEN if the wallet does not confirm it,
 * if the wallet does not answer, or if the merchant paid the refund by other means.
 *
 * @param differences - Differences that are OPEN.
 * @returns how many differences became HEALED.
 */
export function healDifferences(
  ports: HealPorts,
  differences: readonly Difference[],
): ResultAsync<number, StorageFailure> {
  return attempt(async () => {
    const orderKeys = await Promise.all(
      differences.map(async (difference) =>
        (await isSettled(ports, difference)) ? [difference.found.id] : [],
      ),
    );
    const ids = orderKeys.flat();
    return ids.length === 0 ? ok(0) : ports.billExceptions.markHealed(ids, ports.clock.now());
  });
}

async function isSettled(ports: HealPorts, { found, order }: Difference): Promise<boolean> {
  if (order === undefined) return false;
  if (found.kind === "PAYMENT_NOT_HERE" && canChangeAtWallet(order)) {
    const refreshed = await refreshOrder(ports, order, ports.policy.walletDeadline);
    return refreshed.isOk() && !canChangeAtWallet(refreshed.value) && order.amount === found.amountThere;
  }
  if (found.kind === "REFUND_NOT_HERE" && found.refundNo !== undefined) {
    const adoption = await adoptFoundRefund(ports, order, found.refundNo, { source: "bill" });
    if (adoption.isErr() || adoption.value.kind === "refused") return false;
    const { value } = adoption;
    if (value.kind === "second-payment") return value.amount === found.amountThere;
    // As in `compareLine`, SETTLED is not enough: a person decides who paid the customer.
    return value.refund.status === "CONFIRMED" && value.refund.amount === found.amountThere;
  }
  return false;
}
