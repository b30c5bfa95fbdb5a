import type { Bench } from "../harness/bench.js";
import {
  type LoadedContestant,
  type RunningServer,
  startServer,
  type UnderLoad,
  underLoad,
} from "../harness/over-http.js";
import type { TillkitFacts } from "../servers/tillkit.js";

const NAMES = { express: "Tillkit on Express 5", node: "Tillkit on node:http" } as const;

/** Starts Tillkit on `binding` as a contestant. */
export async function tillkitOn(
  binding: keyof typeof NAMES,
  bench: Bench,
  { facts, ...rest }: Pick<UnderLoad, "load"> & Partial<UnderLoad> & { readonly facts: TillkitFacts },
): Promise<LoadedContestant> {
  const server = await startTillkit(binding, bench, facts);
  return underLoad({ name: NAMES[binding], role: "ours", ...rest }, server);
}

/** Starts a server of Tillkit on `binding`. */
export function startTillkit(
  binding: keyof typeof NAMES,
  { nodeOptions }: Pick<Bench, "nodeOptions">,
  facts: TillkitFacts,
): Promise<RunningServer> {
  const program = new URL("../servers/tillkit.ts", import.meta.url);
  return startServer({ program, facts: { ...facts, binding }, nodeOptions });
}

/** Makes a contestant of a server that several rows share, and that the end of the run closes. */
export function underSharedLoad(options: UnderLoad, server: RunningServer): Promise<LoadedContestant> {
  return underLoad(options, { ...server, close: () => Promise.resolve() });
}
