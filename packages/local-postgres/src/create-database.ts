import { randomBytes } from "node:crypto";
import pg from "pg";

/** Makes an empty database on the server of `url` and gives the URL of that database. */
export async function createDatabase(url: string): Promise<string> {
  const name = `tillkit_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const made = new URL(url);
  made.pathname = `/${name}`;
  return made.href;
}
