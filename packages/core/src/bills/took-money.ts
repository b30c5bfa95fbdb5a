import { ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import type { Refund } from "../refunds/refund.js";
import { attempt } from "../shared/attempt.js";
import type { BusinessDay } from "../shared/business-day.js";
import type { BilledMerchant } from "./bill.js";

/** The ports that {@link tookMoney} and {@link movedMoney} use. */
export type MoneyPorts = Pick<Ports, "orders" | "refunds">;
type PaidMerchant = Pick<BilledMerchant, "payToolIds">;
type Range = Pick<BusinessDay, "startsAt" | "endsAt">;

/** Returns whether a merchant was paid, or one of its refunds was confirmed, in a range of time. */
export function tookMoney(
  ports: MoneyPorts,
  merchant: PaidMerchant,
  range: Range,
): ResultAsync<boolean, StorageFailure> {
  return someMoney(ports, merchant, range, { counts: () => true, page: 1 });
}

/**
 * Returns whether the wallet moved money of a merchant in a range of time.
 *
 * A confirmed refund counts only if it was also requested in the range. Otherwise the wallet may
 * have made the refund earlier: Tillkit stores only the time when it learned of the confirmation.
 */
export function movedMoney(
  ports: MoneyPorts,
  merchant: PaidMerchant,
  range: Range,
): ResultAsync<boolean, StorageFailure> {
  // A refund that was found at the wallet is stored as confirmed, so both times are equal.
  const counts = ({ gmtCreate, gmtModified }: Refund) =>
    gmtCreate >= range.startsAt && gmtCreate < gmtModified;
  return someMoney(ports, merchant, range, { counts, page: 100 });
}

/** Which refunds count as money, and how many are read at a time. */
interface RefundsThatCount {
  readonly counts: (refund: Refund) => boolean;
  readonly page: number;
}

function someMoney(
  { orders, refunds }: MoneyPorts,
  { payToolIds }: PaidMerchant,
  { startsAt: from, endsAt: until }: Range,
  { counts, page }: RefundsThatCount,
): ResultAsync<boolean, StorageFailure> {
  return attempt(async () => {
    for (const payToolId of payToolIds) {
      const payments = await orders.listPaid({ payToolId, from, until, limit: 1 });
      if (payments.isErr()) return payments;
      if (payments.value.length > 0) return ok(true);
    }
    let after: Refund | undefined;
    do {
      const batch = await refunds.listConfirmed({ payToolIds, from, until, after, limit: page });
      if (batch.isErr()) return batch;
      if (batch.value.some(({ refund }) => counts(refund))) return ok(true);
      after = batch.value.length < page ? undefined : batch.value.at(-1)?.refund;
    } while (after !== undefined);
    return ok(false);
  });
}
