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
 * Gives the tests of a workspace the PostgreSQL server of the run, which the first workspace to ask for one brings about: the one of
 * `TEST_DATABASE_URL`, whose role must be a superuser, or one that is started for this run, of the programs in the folder
 * `TEST_POSTGRES_PROGRAMS` if another version is wanted than the one npm installed. Where none can be had the run fails.
 */
export default async function setUp({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { TEST_DATABASE_URL: given = "", TEST_POSTGRES_PROGRAMS: programs = "" } = process.env;
  // Workspaces inherit what the root provides, and are set up one after the other.
  const root = vitest.getRootProject();
  if ("databaseUrl" in root.getProvidedContext()) return undefined;
  if (given !== "") {
    root.provide("databaseUrl", given);
    return undefined;
  }
  const { url, stop } = await startPostgres({ programs: programs === "" ? undefined : programs });
  root.provide("databaseUrl", url);
  return stop;
}
