import { type Plugin } from "vitest/config";
import { type PoolOptions, type PoolWorker, ThreadsPoolWorker } from "vitest/node";

/**
 * Keeps one worker from run to run. Stryker runs vitest once per mutant, and vitest starts a worker for each run, which loads every module again: two
 * seconds, where the tests of a mutant take a few hundredths of one. It is no place for static mutants, which act while modules load.
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
    // Stryker asks for the pool "threads", and what it asks for goes before the configuration file.
    configureVitest({ project, vitest }) {
      project.config.pool = name;
      project.config.poolRunner = { name, createPoolWorker };
      vitest.onClose(() => kept?.end());
    },
  };
}

/** A worker that is started once; each run only thinks that it starts and stops it. */
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
            // What was said at the start holds for the first run only: this run has a pattern of test names of its own.
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
