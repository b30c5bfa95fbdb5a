import "vitest";
import type { TestProject } from "vitest/node";
import { startPostgres } from "./start-postgres.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the PostgreSQL server of this run is, as a superuser. */
    databaseUrl: string;
  }
}

/**
 * Gives the tests of a workspace a PostgreSQL server: the one of `TEST_DATABASE_URL`, whose role must be a superuser, or one that is started for this run, of
 * the programs in the folder `TEST_POSTGRES_PROGRAMS` if another version is wanted than the one npm installed. Where none can be had the run fails.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { TEST_DATABASE_URL: given = "", TEST_POSTGRES_PROGRAMS: programs = "" } = process.env;
  if (given !== "") {
    project.provide("databaseUrl", given);
    return async () => undefined;
  }
  const { url, stop } = await startPostgres({ programs: programs === "" ? undefined : programs });
  project.provide("databaseUrl", url);
  return stop;
}
