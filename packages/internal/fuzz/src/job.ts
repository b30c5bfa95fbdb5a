import { z } from "zod";
import type { OpenTarget } from "./fuzz-target.js";
import { TARGETS } from "./targets.js";

// The program of one process of `runFuzz`: plays the requested rounds and sends their outcomes.
const order = z.object({ target: z.string(), seed: z.int(), path: z.string().optional() });
const open = new Map<string, Promise<OpenTarget>>();

process.on("message", (message) => void play(order.parse(message)));
// Open resources of a target, such as a server, would keep the process alive.
process.once("disconnect", () => process.exit());

async function play({ target, seed, path }: z.infer<typeof order>): Promise<void> {
  const attack = await attackOn(target);
  const outcome = await attack.round({
    seed,
    ...(path === undefined ? {} : { path }),
    onCase: (caseNumber) => process.send?.({ caseNumber }),
  });
  process.send?.({ ...outcome, peakKilobytes: process.resourceUsage().maxRSS });
}

function attackOn(name: string): Promise<OpenTarget> {
  const opened = open.get(name) ?? TARGETS.find((target) => target.name === name)?.open();
  if (opened === undefined) throw new Error(`There is no target ${name}.`);
  open.set(name, opened);
  return opened;
}
