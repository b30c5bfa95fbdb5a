import { readFileSync } from "node:fs";
import { PAY_CHANNELS, type ConfigurePayToolInput } from "@tillkit/core";
import { z } from "zod";

/** The schema of the set-up that both programs read from `UPGRADE_SETUP`. */
const upgradeSetup = z.object({
  /** The URL of the database: for the owner in `prepare-program`, for the application otherwise. */
  databaseUrl: z.string(),
  /** The role that the hosts connect as. */
  application: z.string(),
  keyringFile: z.string(),
  /** The facts file of the sandbox. */
  sandboxFile: z.string(),
  /** The address of the load balancer, which the wallets notify. */
  publicUrl: z.string(),
});
/** What both programs of the test read from `UPGRADE_SETUP`. */
export type UpgradeSetup = z.infer<typeof upgradeSetup>;

/** What `prepare-program` prints. */
export const preparedFacts = z.object({ appId: z.string(), appSecret: z.string() });

/** The service type of every order of the test. */
export const SERVICE_TYPE = {
  serviceTypeNo: "svt_month",
  serviceName: "Membership",
  durationMs: 30 * 86_400_000,
} as const;

const sandboxFacts = z.object({
  control: z.string(),
  addresses: z.object({ walletA: z.string(), walletB: z.string() }),
  payTools: z.record(z.enum(PAY_CHANNELS), z.custom<ConfigurePayToolInput>()),
});

/** The set-up of a program, with the facts of the sandbox. */
export interface ProgramSetup extends UpgradeSetup {
  readonly sandbox: z.infer<typeof sandboxFacts>;
}

/** Reads the set-up of this process and the facts of the sandbox. */
export function readSetup(): ProgramSetup {
  const setup = upgradeSetup.parse(JSON.parse(process.env["UPGRADE_SETUP"] ?? ""));
  return { ...setup, sandbox: sandboxFacts.parse(JSON.parse(readFileSync(setup.sandboxFile, "utf8"))) };
}
