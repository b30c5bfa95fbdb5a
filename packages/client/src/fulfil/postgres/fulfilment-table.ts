/** The name of the table if you choose none. */
export const DEFAULT_TABLE = "tillkit_purchases";

/**
 * Returns the SQL that creates the table of `postgresFulfilmentStore`, unless it exists.
 *
 * Run it in your own migration. If the table exists, it needs no rights.
 *
 * @param table - the name of the table, which may have a schema: `shop.purchases`.
 * @returns one statement with a semicolon.
 * @throws RangeError if the name is not usable.
 * @example
 * ```ts
 * import { fulfilmentTableSql } from "@tillkit/client/fulfil/postgres";
 *
 * console.log(fulfilmentTableSql());
 * ```
 */
export function fulfilmentTableSql(table: string = DEFAULT_TABLE): string {
  const name = tableName(table);
  const index = `${name.replace(/^.*\./, "").replaceAll('"', "")}_check_at_ms`;
  // Even `if not exists` needs the right to create, which the role of a running program may lack.
  return `do $$ begin
  if to_regclass('${name}') is null then
    create table if not exists ${name} (
      biz_no text collate "C" primary key,
      customer_identity text not null,
      amount_cents bigint not null check (amount_cents > 0),
      data text not null,
      status text not null check (status in ('REGISTERED', 'GRANTING', 'GRANTED', 'REVOKING', 'REVOKED')),
      since_ms bigint not null,
      may_be_granted boolean not null,
      claim_id text,
      claim_until_ms bigint,
      check_at_ms bigint
    );
    create index if not exists "${index}" on ${name} (check_at_ms) where check_at_ms is not null;
  end if;
end $$;`;
}

/** Returns the name in quotation marks. Throws a `RangeError` if it is not usable. */
export function tableName(table: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,49}(?:\.[A-Za-z_][A-Za-z0-9_]{0,49})?$/.test(table))
    throw new RangeError("table must be a name such as purchases or shop.purchases.");
  return table
    .split(".")
    .map((part) => `"${part}"`)
    .join(".");
}
