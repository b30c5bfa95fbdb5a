import { type Plugin } from "vitest/config";
import { type PoolOptions, type PoolWorker, ThreadsPoolWorker } from "vitest/node";

/**
 * Creates a vitest plugin that keeps one worker for all runs.
 *
 * Stryker runs vitest once per mutant, and a new worker loads every module again. That takes two
 * seconds, while the tests of a mutant take a few hundredths of a second. Do not use it for static
 * mutants, which act while modules load.
 */
export function keptWorker(): Plugin {
  let kept: ReturnType<typeof reusable> | undefined;
  const name = "kept";
  const createPoolWorker = (options: PoolOptions): PoolWorker => {
    kept ??= reusable(name, new ThreadsPoolWorker(options), () => (kept = undefined));
    return kept.for(options);
  };
  return {
    name: "kept-worker",
    // Stryker sets the pool "threads", which overrides the configuration file.
    configureVitest({ project, vitest }) {
      project.config.pool = name;
      project.config.poolRunner = { name, createPoolWorker };
      vitest.onClose(() => kept?.end());
    },
  };
}

/** Wraps a worker that starts once. Each run receives simulated start and stop messages. */
function reusable(name: string, worker: PoolWorker, ended: () => void) {
  let started = false;
  return {
    end: () => worker.stop(),
    for({ project }: PoolOptions): PoolWorker {
      const listeners: (readonly [event: string, callback: (message: unknown) => void])[] = [];
      const answer = (type: "started" | "stopped") => {
        for (const [event, callback] of listeners) {
          if (event === "message") callback({ type, __vitest_worker_response__: true });
        }
      };
      return {
        name,
        on(event, callback) {
          listeners.push([event, callback]);
          worker.on(event, callback);
        },
        off(event, callback) {
          worker.off(event, callback);
        },
        deserialize: (message) => worker.deserialize(message),
        async start() {
          if (started) return;
          await worker.start();
          worker.on("exit", ended);
        },
        send(message) {
          if (message.type === "stop") answer("stopped");
          else if (message.type === "start" && started) answer("started");
          else if (message.type === "run") {
            // The configuration sent at the start is valid for the first run only: each run has its
            // own pattern of test names.
            const context = { ...message.context, config: project.serializedConfig };
            worker.send({ ...message, context });
          } else {
            worker.send(message);
            if (message.type === "start") started = true;
          }
        },
        async stop() {
          for (const [event, callback] of listeners) worker.off(event, callback);
        },
      };
    },
  };
}
