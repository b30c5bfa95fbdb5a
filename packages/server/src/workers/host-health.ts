import type { WorkerHealth } from "./worker-process.js";

/**
 * Combines the health of the workers of a host that answered.
 *
 * The host is ready if at least one worker is ready. A task has the time of its last success in any
 * worker, and a failure if it failed in any worker.
 */
export function hostHealth(answered: readonly WorkerHealth[], notReady: string | undefined): WorkerHealth {
  const ready = notReady === undefined && answered.some((worker) => worker.ready);
  const why = notReady ?? answered.find((worker) => worker.why !== undefined)?.why ?? "workers.silent";
  const background: Record<string, WorkerHealth["background"][string]> = {};
  for (const [task, state] of answered.flatMap((worker) => Object.entries(worker.background))) {
    const known = background[task];
    const failure = known?.failure ?? state.failure;
    const succeededAt = Math.max(known?.succeededAt ?? 0, state.succeededAt ?? 0);
    background[task] = {
      ...(succeededAt === 0 ? {} : { succeededAt }),
      ...(failure === undefined ? {} : { failure }),
    };
  }
  return { ready, ...(ready ? {} : { why }), background };
}
