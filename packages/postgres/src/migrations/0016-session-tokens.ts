import { toMigration } from "../migration.js";

/** Migration 0016-session-tokens. Its SQL never changes, because databases store its checksum. */
export const sessionTokens = toMigration(
  "0016-session-tokens",
  `-- A hash index finds a session in as many pages among millions of sessions as among thousands.

create index sessions_of_token on sessions using hash (token_hash);
comment on index sessions_pkey is 'All sessions of a customer.';
comment on index sessions_of_token is 'The session of a token.';
`,
);
