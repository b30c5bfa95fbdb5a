import { readFileSync } from "node:fs";
import { PAY_CHANNELS, type ConfigurePayToolInput } from "@tillkit/core";
import { z } from "zod";

/** The schema of the settings of the host in one crash test run. */
export const crashSetup = z.object({
  /** The same after every restart: the wallets notify the URL that an order was created with. */
  port: z.int(),
  dataDir: z.string(),
  /** The URL of a database server. Without it the database is in `dataDir`. */
  databaseUrl: z.string().optional(),
  /** The facts file of the sandbox. */
  sandboxFile: z.string(),
  /** How far the clock has been moved so far, in milliseconds. */
  ahead: z.int(),
});
/** The settings of the host in one crash test run. */
export type CrashSetup = z.infer<typeof crashSetup>;

const sandboxFacts = z.object({
  control: z.string(),
  addresses: z.object({ walletA: z.string(), walletB: z.string() }),
  payTools: z.record(z.enum(PAY_CHANNELS), z.custom<ConfigurePayToolInput>()),
});

/** Reads the facts file of a sandbox in another process. */
export function readSandboxFacts(file: string): z.infer<typeof sandboxFacts> {
  return sandboxFacts.parse(JSON.parse(readFileSync(file, "utf8")));
}
