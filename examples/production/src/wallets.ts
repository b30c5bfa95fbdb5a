import type { Clock, Ports } from "@tillkit/core";
import type { Surface } from "@tillkit/core/http";
import { openSandbox } from "@tillkit/sandbox";
import type { Config } from "./config.js";

/** The wallets of a host, and what comes with them. */
export interface HostWallets {
  readonly wallets: Ports["wallets"];
  /** The sandbox's can be moved. */
  readonly clock: Clock;
  /** Plays customers and troubles; only the sandbox has it. */
  readonly control?: Surface;
  close(): Promise<void>;
}

/** Opens the wallets the configuration names. The one place to change for other adapters. */
export async function openWallets({
  sandboxStateFile,
}: Pick<Config, "wallets" | "sandboxStateFile">): Promise<HostWallets> {
  const sandbox = await openSandbox(sandboxStateFile === undefined ? {} : { stateFile: sandboxStateFile });
  const { wallets, clock, control } = sandbox;
  return { wallets, clock, control, close: () => sandbox.close() };
}
