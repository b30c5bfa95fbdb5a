import { randomBytes } from "node:crypto";
import pg from "pg";

/**
 * Makes a database on the server of `url` and gives the URL of that database: an empty one, or a copy of the database named `template`, to which
 * nobody may be connected meanwhile.
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
