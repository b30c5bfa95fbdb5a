import type { AlertStore } from "@tillkit/core/ports";
import { text } from "../sql/row.js";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";

/** Creates an `AlertStore` on PostgreSQL, over the tables of `schema`. */
export function postgresAlertStore(sql: SqlClient, schema: string): AlertStore {
  const { alert_channels: channels } = tablesOf(schema);
  const claim = statement(
    "alert_channel_claim",
    `insert into ${channels} as held (name, state, due_ms, claim_id, claimed_until_ms)
     values ($1, '', $3::bigint, $2, $4)
     on conflict (name) do update
       set claim_id = excluded.claim_id, claimed_until_ms = excluded.claimed_until_ms
       where held.due_ms <= $3::bigint and coalesce(held.claimed_until_ms, 0) <= $3::bigint
     returning state`,
  );
  const save = statement(
    "alert_channel_save",
    `update ${channels} set state = $3, due_ms = coalesce($4::bigint, due_ms),
       claim_id = case when $5::bigint is null then null else claim_id end, claimed_until_ms = $5::bigint
     where name = $1 and claim_id = $2 returning name`,
  );
  return {
    claim: (channel, { id, now, until }) =>
      toStorageResult(async () => {
        const [row] = await sql.query(claim, [channel, id, now, until]);
        return row && text(row, "state");
      }),
    save: (channel, claimId, state, after) =>
      toStorageResult(async () => {
        const [dueAt, until] = "until" in after ? [null, after.until] : [after.dueAt, null];
        return (await sql.query(save, [channel, claimId, state, dueAt, until])).length > 0;
      }),
  };
}
