import { toMigration } from "../migration.js";

/** Migration 0038-access-tokens. Its SQL never changes, because databases store its checksum. */
export const accessTokens = toMigration(
  "0038-access-tokens",
  `-- The token of a mini-program, so that one process requests it and all use it.

create table access_tokens (
  pay_tool_id text collate "C" not null,
  token_id text collate "C",
  token text,
  expires_ms bigint,
  claim_id text collate "C",
  claimed_until_ms bigint,
  primary key (pay_tool_id)
);
comment on table access_tokens is 'The access tokens of pay tools that report deliveries to their wallet.';
comment on column access_tokens.pay_tool_id is 'The pay tool whose mini-program the token belongs to.';
comment on column access_tokens.token_id is 'The claim whose process requested the token; null without a token.';
comment on column access_tokens.token is 'Sealed for this pay tool with AES-256-GCM: "v{key version}:{base64url of nonce, tag, ciphertext}".';
comment on column access_tokens.expires_ms is 'When another token must be requested, epoch milliseconds; null without a token.';
comment on column access_tokens.claim_id is 'The claim of the process that requests a token; null if none does.';
comment on column access_tokens.claimed_until_ms is 'When another process may claim the request, epoch milliseconds; null without a claim.';
comment on index access_tokens_pkey is 'Each pay tool once.';
comment on column orders.next_query_ms is 'When the reconciler asks the wallet next, or reports the delivery of a PAID order, epoch milliseconds; null when there is nothing to do.';
`,
);
