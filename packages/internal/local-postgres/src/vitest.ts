import "vitest";
import type { TestProject } from "vitest/node";
import { startPostgres } from "./start-postgres.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of this run's PostgreSQL server, as a superuser. */
    databaseUrl: string;
  }
}

/**
 * Provides the PostgreSQL server of the test run. The first workspace that asks starts it.
 *
 * Uses the server of `TEST_DATABASE_URL`, whose role must be a superuser, if that variable is set.
 * Otherwise starts a server with the programs in the folder `TEST_POSTGRES_PROGRAMS`, or with those
 * that npm installed. Fails if no server can be started.
 */
export default async function setUp({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { TEST_DATABASE_URL: given = "", TEST_POSTGRES_PROGRAMS: programs = "" } = process.env;
  // Workspaces inherit what the root provides, and vitest sets them up one after the other.
  const root = vitest.getRootProject();
  if ("databaseUrl" in root.getProvidedContext()) return undefined;
  if (given !== "") {
    root.provide("databaseUrl", given);
    return undefined;
  }
  const { url, stop } = await startPostgres({
    programs: programs === "" ? undefined : programs,
    // The run creates hundreds of databases and schemas, and is over before they need a vacuum.
    settings: { autovacuum: "off" },
  });
  root.provide("databaseUrl", url);
  return stop;
}
