import { addressesOf, type Program, startProgram } from "../../packages/server/src/rehearsal/program.js";
import type { Release } from "./releases.js";
import type { UpgradeSetup } from "./set-up.js";
import type { Upstream } from "./load-balancer.js";

/** A host in its own process. */
export interface HostProcess extends Upstream {
  readonly program: Program;
  /** Sends SIGTERM. Rejects unless the process ends with 0. */
  stop(): Promise<void>;
}

/** What the processes of a test share. */
export interface Shared {
  readonly setup: UpgradeSetup;
  readonly appId: string;
  /** Receives each process, so that none outlives the test. */
  readonly programs: Program[];
}

/** Starts the program of a host, which may end at once. */
export function startHostProgram(release: Release, { setup, appId, programs }: Shared): Program {
  const environment = { UPGRADE_SETUP: JSON.stringify(setup), UPGRADE_APP: JSON.stringify({ appId }) };
  const program = startProgram(environment, [release.host]);
  programs.push(program);
  return program;
}

/** Starts a host and resolves once it listens. */
export async function startHost(name: string, release: Release, shared: Shared): Promise<HostProcess> {
  const program = startHostProgram(release, shared);
  const addresses = await addressesOf(program);
  const stop = async (): Promise<void> => {
    program.child.kill("SIGTERM");
    const code = await program.ended;
    if (code !== 0) throw new Error(`${name} ended with ${String(code)}: ${program.output()}`);
  };
  return { name, ...addresses, program, stop };
}
