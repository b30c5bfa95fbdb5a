import { randomBytes } from "node:crypto";
import pg from "pg";

/**
 * Creates a database on the server of `url`, and returns the URL of the new database.
 *
 * @param template - the database to copy, without open connections. Defaults to an empty one.
 */
export async function createDatabase(url: string, template = "template1"): Promise<string> {
  const name = `tillkit_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${name} template ${template}`);
  } finally {
    await client.end();
  }
  const made = new URL(url);
  made.pathname = `/${name}`;
  return made.href;
}
