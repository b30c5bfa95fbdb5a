import pg from "pg";

/** How long `release` still keeps the transaction open, in milliseconds. */
const HOLD_MS = 4_000;

/**
 * Begins a transaction that reads `table`, as a long report does.
 *
 * A migration that changes the table waits for the transaction.
 */
export async function holdTable(
  databaseUrl: string,
  table: string,
): Promise<{ readonly release: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("begin");
  await client.query(`select count(*) from ${table}`);
  return {
    release: async () => {
      await client.query("select pg_sleep($1)", [HOLD_MS / 1_000]);
      await client.query("commit");
      await client.end();
    },
  };
}
