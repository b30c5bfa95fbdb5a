import type { Bench } from "../harness/bench.js";
import { overHttp, type OverHttp } from "../harness/over-http.js";
import type { TillkitFacts } from "../servers/tillkit.js";
import type { Contestant } from "../harness/row.js";

const NAMES = { express: "Tillkit on Express 5", node: "Tillkit on node:http" } as const;

/** Starts Tillkit on `binding` as a contestant. */
export function tillkitOn(
  binding: keyof typeof NAMES,
  { nodeOptions }: Bench,
  { facts, ...rest }: Pick<OverHttp, "load"> & Partial<OverHttp> & { readonly facts: TillkitFacts },
): Promise<Contestant> {
  const program = new URL("../servers/tillkit.ts", import.meta.url);
  return overHttp({
    name: NAMES[binding],
    role: "ours",
    program,
    facts: { ...facts, binding },
    nodeOptions,
    ...rest,
  });
}
