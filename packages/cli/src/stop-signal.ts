import type { Io } from "./io.js";

/** The signal that ends a command which runs until it is stopped. */
export interface StopSignal {
  readonly signal: AbortSignal;
  /** Restores the usual effect of Ctrl+C and SIGTERM. */
  readonly dispose: () => void;
}

/**
 * Returns a signal that aborts at the first Ctrl+C or SIGTERM. The second one kills the process.
 */
export function stopSignal({ stop }: Pick<Io, "stop">): StopSignal {
  if (stop !== undefined) return { signal: stop, dispose: () => undefined };
  const controller = new AbortController();
  const abort = () => {
    dispose();
    controller.abort();
  };
  const dispose = () => {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, abort);
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, abort);
  return { signal: controller.signal, dispose };
}

/** Resolves when the signal aborts. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
