import pg from "pg";

const RECOVER = "select success from run_command_on_all_nodes($$select recover_prepared_transactions()$$)";

/** How long prepared transactions may stay after a loss, in milliseconds. */
const PATIENCE = 90_000;

/**
 * Returns the number of prepared transactions that remain, summed over all nodes.
 *
 * Asks each node to end the transactions that it began. The node's maintenance daemon does the same
 * once a minute.
 */
export async function preparedLeft(url: string): Promise<number> {
  let left = await countPrepared(url);
  for (
    const began = Date.now();
    left !== 0 && Date.now() - began < PATIENCE;
    left = await countPrepared(url)
  ) {
    await ask(url, RECOVER).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return left;
}

/** Returns the number of prepared transactions on all nodes. A node that fails counts as one. */
export async function countPrepared(url: string): Promise<number> {
  const rows = await ask(
    url,
    `select success, result from run_command_on_all_nodes(
       $$select count(*) from pg_prepared_xacts where database = current_database()$$)`,
  ).catch(() => [{ success: false, result: "" }]);
  return rows.reduce((sum, { success, result }) => sum + (success === true ? Number(result) : 1), 0);
}

/** Runs a statement on a new connection. */
export async function ask(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
