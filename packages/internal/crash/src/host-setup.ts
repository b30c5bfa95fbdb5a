import { readFileSync } from "node:fs";
import { PAY_CHANNELS, type ConfigurePayToolInput } from "@tillkit/core";
import { z } from "zod";

/** What the host of a history is told. */
export const crashSetup = z.object({
  /** The same in every life: the wallets report to the address an order was made with. */
  port: z.int(),
  dataDir: z.string(),
  /** Of a server; without it the database is in `dataDir`. */
  databaseUrl: z.string().optional(),
  /** What the sandbox wrote about itself. */
  sandboxFile: z.string(),
  /** How far time was moved already, in milliseconds. */
  ahead: z.int(),
});
/** What the host of a history is told. */
export type CrashSetup = z.infer<typeof crashSetup>;

const sandboxFacts = z.object({
  control: z.string(),
  addresses: z.object({ walletA: z.string(), walletB: z.string() }),
  payTools: z.record(z.enum(PAY_CHANNELS), z.custom<ConfigurePayToolInput>()),
});

/** Reads what a sandbox in a process of its own wrote about itself. */
export function readSandboxFacts(file: string): z.infer<typeof sandboxFacts> {
  return sandboxFacts.parse(JSON.parse(readFileSync(file, "utf8")));
}
