import { randomBytes } from "node:crypto";
import pg from "pg";

/** Creates an empty database on the server of `serverUrl`, and returns its URL. */
export async function createDatabase(serverUrl: string): Promise<string> {
  const name = `tillkit_${randomBytes(6).toString("hex")}`;
  await run(serverUrl, `create database ${name}`);
  const database = new URL(serverUrl);
  database.pathname = `/${name}`;
  return database.href;
}

/** Drops a database that {@link createDatabase} created, and ends the connections to it. */
export async function dropDatabase(serverUrl: string, databaseUrl: string): Promise<void> {
  await run(serverUrl, `drop database ${new URL(databaseUrl).pathname.slice(1)} with (force)`);
}

async function run(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
