import { ok } from "neverthrow";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { BusinessDay } from "../shared/business-day.js";
import type { BilledMerchant } from "./bill.js";

/** Returns whether a merchant was paid, or a refund of its was confirmed, in a range of time. */
export function tookMoney(
  { orders, refunds }: Pick<Ports, "orders" | "refunds">,
  { payToolIds }: BilledMerchant,
  { startsAt: from, endsAt: until }: Pick<BusinessDay, "startsAt" | "endsAt">,
) {
  return attempt(async () => {
    for (const payToolId of payToolIds) {
      const paid = await orders.listPaid({ payToolId, from, until, limit: 1 });
      if (paid.isErr()) return paid;
      if (paid.value.length > 0) return ok(true);
    }
    const confirmed = await refunds.listConfirmed({ payToolIds, from, until, limit: 1 });
    if (confirmed.isErr()) return confirmed;
    return ok(confirmed.value.length > 0);
  });
}
