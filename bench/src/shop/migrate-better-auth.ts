import { getMigrations } from "better-auth/db/migration";
import pg from "pg";
import { betterAuthOptions } from "../servers/better-auth-options.js";

/** Creates better-auth's tables in the database at `databaseUrl`, with its own migrations. */
export async function migrateBetterAuth(databaseUrl: string, secret: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const { runMigrations } = await getMigrations(betterAuthOptions(pool, secret));
  await runMigrations();
  await pool.end();
}
