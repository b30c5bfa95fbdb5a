/** The columns of a prepayment, and of the claim that lets one caller request it. */
const COLUMNS = [
  "prepayment_issued_ms",
  "prepayment_valid_until_ms",
  "prepayment_values",
  "claim_id",
  "claim_until_ms",
];

/**
 * Returns the assignments of an update that removes the prepayment of an order that becomes PAID.
 *
 * `status` is SQL for the new status. `alias` is the alias of the row.
 */
export function withoutPrepayment(status: string, alias = ""): string {
  const prefix = alias === "" ? "" : `${alias}.`;
  return COLUMNS.map(
    (column) => `${column} = case when ${status} = 'PAID' then null else ${prefix}${column} end`,
  ).join(", ");
}
