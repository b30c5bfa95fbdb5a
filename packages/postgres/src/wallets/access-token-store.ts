import type { AccessTokenStore, ClaimedAccessToken, StoredAccessToken } from "@tillkit/core/ports";
import type { CredentialCipher } from "../credentials/credential-cipher.js";
import { integer, text } from "../sql/row.js";
import type { SqlClient, SqlRow } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { tablesOf } from "../sql/tables.js";
import { toStorageResult } from "../client/to-storage-result.js";
import { UnreadableValue } from "../sql/unreadable-value.js";

/**
 * Creates an `AccessTokenStore` on PostgreSQL, over the tables of `schema`.
 *
 * `cipher` encrypts tokens before they leave the process, for their pay tool only.
 */
export function postgresAccessTokenStore(
  sql: SqlClient,
  schema: string,
  cipher: CredentialCipher,
): AccessTokenStore {
  const { access_tokens: tokens } = tablesOf(schema);
  const valid = statement(
    "access_token_valid",
    `select token_id, token, expires_ms from ${tokens} where pay_tool_id = $1 and expires_ms > $2::bigint`,
  );
  // Repeats the condition, because another caller may have stored a token in the meantime.
  const claim = statement(
    "access_token_claim",
    `insert into ${tokens} as held (pay_tool_id, claim_id, claimed_until_ms) values ($1, $2, $4)
     on conflict (pay_tool_id) do update
       set claim_id = excluded.claim_id, claimed_until_ms = excluded.claimed_until_ms,
         token_id = null, token = null, expires_ms = null
       where coalesce(held.expires_ms, 0) <= $3::bigint and coalesce(held.claimed_until_ms, 0) <= $3::bigint
     returning pay_tool_id`,
  );
  const save = statement(
    "access_token_save",
    `update ${tokens} set token_id = $2, token = $3, expires_ms = $4, claim_id = null, claimed_until_ms = null
     where pay_tool_id = $1 and claim_id = $2 returning pay_tool_id`,
  );
  const release = statement(
    "access_token_release",
    `update ${tokens} set claim_id = null, claimed_until_ms = null where pay_tool_id = $1 and claim_id = $2`,
  );
  const remove = statement(
    "access_token_remove",
    `update ${tokens} set token_id = null, token = null, expires_ms = null
     where pay_tool_id = $1 and token_id = $2`,
  );
  /** Returns the token of a row. `undefined` if no key of the key file can decrypt it. */
  const opened = (payToolId: string, row: SqlRow): StoredAccessToken | undefined => {
    try {
      const token = cipher.open(text(row, "token"), tokenContext(payToolId));
      return { id: text(row, "token_id"), token, expiresAt: integer(row, "expires_ms") };
    } catch (error) {
      if (error instanceof UnreadableValue) return undefined;
      throw error;
    }
  };
  return {
    claim: (payToolId, { id, now, until }) =>
      toStorageResult(async (): Promise<ClaimedAccessToken> => {
        const [row] = await sql.query(valid, [payToolId, now]);
        const token = row && opened(payToolId, row);
        if (token !== undefined) return { kind: "token", token };
        if (row !== undefined) await sql.query(remove, [payToolId, text(row, "token_id")]);
        const taken = await sql.query(claim, [payToolId, id, now, until]);
        return { kind: taken.length > 0 ? "granted" : "claimed-by-another" };
      }),
    save: (payToolId, { id, token, expiresAt }) =>
      toStorageResult(async () => {
        const sealed = cipher.seal(token, tokenContext(payToolId));
        return (await sql.query(save, [payToolId, id, sealed, expiresAt])).length > 0;
      }),
    release: (payToolId, claimId) =>
      toStorageResult(async () => void (await sql.query(release, [payToolId, claimId]))),
    remove: (payToolId, tokenId) =>
      toStorageResult(async () => void (await sql.query(remove, [payToolId, tokenId]))),
  };
}

/** Returns the owner that the encryption binds a token to: its pay tool. */
function tokenContext(payToolId: string): string {
  return JSON.stringify(["access-token", payToolId]);
}
