import type { FiguresStore } from "@tillkit/core/ports";
import { booleanValue, optionalInteger, text } from "../sql/row.js";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";

/** The name of the only row of the table. */
const NAME = "record";

/** Creates a `FiguresStore` on PostgreSQL, over the tables of `schema`. */
export function postgresFiguresStore(sql: SqlClient, schema: string): FiguresStore {
  const { figures } = tablesOf(schema);
  const claim = statement(
    "figures_claim",
    `with claimed as (
       insert into ${figures} as held (name, reading, claim_id, claimed_until_ms) values ('${NAME}', '', $1, $3)
       on conflict (name) do update
         set claim_id = excluded.claim_id, claimed_until_ms = excluded.claimed_until_ms
         where coalesce(held.read_ms, 0) <= $4::bigint and coalesce(held.claimed_until_ms, 0) <= $2::bigint
       returning name
     )
     select exists (select from claimed) as is_claimed, held.reading, held.read_ms
     from (select) as one left join ${figures} held on held.name = '${NAME}'`,
  );
  const save = statement(
    "figures_save",
    `update ${figures} set reading = $2, read_ms = $3, claim_id = null, claimed_until_ms = null
     where name = '${NAME}' and claim_id = $1 returning name`,
  );
  return {
    claim: ({ id, now, until, olderThan }) =>
      toStorageResult(async () => {
        const [row] = await sql.query(claim, [id, now, until, olderThan]);
        if (row === undefined) throw new Error("The claim of the figures returned no row.");
        const isClaimed = booleanValue(row, "is_claimed");
        const at = optionalInteger(row, "read_ms");
        return at === undefined ? { isClaimed } : { isClaimed, reading: { text: text(row, "reading"), at } };
      }),
    save: (claimId, reading) =>
      toStorageResult(async () => (await sql.query(save, [claimId, reading.text, reading.at])).length > 0),
  };
}
