import { nodeUrl } from "@tillkit/postgres";
import { runOrThrow } from "@tillkit/repository";
import type { LocalCitus } from "@tillkit/local-postgres";
import { ask } from "./prepared-transactions.js";

/** Kills a node and starts it again. `start` resolves once the node accepts connections. */
export interface NodeControl {
  readonly kill: () => Promise<unknown>;
  readonly start: () => Promise<unknown>;
}

/** The nodes that a run may kill. */
export interface NodeControls {
  readonly worker?: NodeControl | undefined;
  readonly coordinator?: NodeControl | undefined;
}

/** Returns the control of a node that shell commands kill and start. Both must be given. */
export function commandControl(kill?: string, start?: string): NodeControl | undefined {
  if (kill === undefined || start === undefined) return undefined;
  const shell = (command: string) => runOrThrow("sh", ["-c", command], process.cwd());
  return { kill: () => shell(kill), start: () => shell(start) };
}

/** Returns the controls of the nodes of a cluster that this process started. */
export function localControls({ coordinator, workers }: LocalCitus): NodeControls {
  return { worker: workers.at(-1), coordinator };
}

/**
 * Returns the URL of the worker that `control` kills.
 *
 * Kills the worker to find out, and starts it again.
 *
 * @param url - the URL of the coordinator.
 */
export async function workerUrl(url: string, control: NodeControl): Promise<string> {
  const nodes = await ask(url, "select nodename, nodeport from pg_dist_node where groupid <> 0");
  await control.kill();
  try {
    for (const { nodename, nodeport } of nodes) {
      const at = nodeUrl(url, { host: String(nodename), port: Number(nodeport) });
      const lives = await ask(at, "select 1").then(
        () => true,
        () => false,
      );
      if (!lives) return at;
    }
  } finally {
    await control.start();
  }
  throw new Error("All workers ran after the worker was killed: --kill-worker must kill one of them.");
}
