import type { ClaimedDelivery, DeliveryKey, EventDelivery, EventPosition } from "@tillkit/core/ports";
import type { RowReader } from "../sql/row-reader.js";
import type { SqlQueries, SqlStatement, SqlValue } from "../sql/sql-client.js";

/** What {@link advanceDelivery} uses. */
export interface AdvanceParts {
  readonly advance: SqlStatement;
  readonly deliveries: RowReader<EventDelivery>;
  readonly claimed: RowReader<ClaimedDelivery>;
}

/**
 * Advances a claimed delivery to the next event, alone or in a transaction.
 *
 * Returns `undefined` if the claim is lost.
 */
export async function advanceDelivery(
  sql: Pick<SqlQueries, "query">,
  { advance, deliveries, claimed }: AdvanceParts,
  delivery: ClaimedDelivery,
  { next, until }: { readonly next: EventPosition; readonly until: number },
): Promise<ClaimedDelivery | EventDelivery | undefined> {
  const [row] = await sql.query(advance, [...heldValues(delivery), next.seq, next.index, until]);
  if (row === undefined) return undefined;
  return row["claim_id"] === null ? deliveries.one(row) : claimed.one(row);
}

/** Returns the values of the key. */
export function deliveryKeyValues({ bizNo, appId, handler }: DeliveryKey): readonly SqlValue[] {
  return [bizNo, appId, handler];
}

/** Returns the values that find a delivery only if its claim is still valid. */
export function heldValues(delivery: ClaimedDelivery): readonly SqlValue[] {
  const { claimId, next } = delivery;
  return [...deliveryKeyValues(delivery), claimId, next.seq, next.index];
}
