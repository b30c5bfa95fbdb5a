import { runOrThrow } from "@tillkit/repository";
import type { LocalCitus } from "@tillkit/local-postgres";

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
