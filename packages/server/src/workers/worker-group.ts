import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { valueOrTimeout } from "@tillkit/runtime";
import type { Logger } from "../log/logger.js";
import { restartPolicy } from "./restart-policy.js";
import { addedMetricsOf, countersOf, sumMetrics } from "./sum-metrics.js";
import { untilSilent } from "./until-silent.js";
import { startWorker, type WorkerProcess } from "./worker-process.js";

/** How long a silent worker may take to show its stack, in milliseconds. */
const STACK_MS = 2_000;

/** The workers of a host. */
export interface WorkerGroup {
  /** Starts all workers. Resolves with their port, or with `undefined` if one did not start. */
  start(): Promise<number | undefined>;
  /**
   * Replaces each worker by a new one, one after the other.
   *
   * A worker is stopped when its successor serves, and killed if it does not stop in time. If a
   * successor does not start, the other workers stay as they are. A call during the start or during
   * a replacement starts another replacement afterwards: a worker that is just starting may have
   * read its files before they changed.
   */
  replaceAll(): Promise<void>;
  /**
   * Stops all workers gracefully. Resolves with whether each of them completed its work.
   *
   * A second call makes the workers end at once.
   */
  stop(signal: string): Promise<boolean>;
  /** Kills all workers. */
  kill(): void;
  /** Returns the workers that serve and are not being replaced, the oldest first. */
  serving(): readonly WorkerProcess[];
  /** Resolves with the sum of the metrics of all workers, including ended ones. */
  metrics(ms: number): Promise<string>;
  /** Returns how many workers ended without being stopped. */
  crashes(): number;
}

/** A place for a worker. */
interface Slot {
  current: WorkerProcess | undefined;
  /** Resolves when no worker is starting because an earlier one ended. */
  starting: Promise<unknown>;
  /** Resolves when the current replacement of this worker has ended, also if it failed. */
  replacing: Promise<unknown>;
}

/** What a group of workers needs. */
export interface WorkerGroupOptions {
  readonly count: number;
  /** The folder for the sockets of the workers. */
  readonly folder: string;
  readonly logger: Logger;
  /** How long a worker may be silent, in milliseconds. Then it is killed and replaced. */
  readonly silenceDeadline: number;
  /** How long a replaced worker may take to stop, in milliseconds. Then it is killed. */
  readonly stopDeadline: number;
  /** Called if workers crash repeatedly and none serves. It must stop the group. */
  readonly onGivenUp: () => void;
  /** Creates the process of a worker. Tests pass their own. */
  readonly createWorker?: typeof startWorker;
}

/** Creates a group of workers. None runs before `start`. */
export function workerGroup(options: WorkerGroupOptions): WorkerGroup {
  const { count, folder, logger, silenceDeadline, stopDeadline, onGivenUp } = options;
  const { createWorker = startWorker } = options;
  const slots = Array.from({ length: count }, (): Slot => ({
    current: undefined,
    starting: nothing,
    replacing: nothing,
  }));
  const alive = new Set<WorkerProcess>();
  const serving = new Set<WorkerProcess>();
  /** The workers that were stopped because another one replaces them. */
  const leaving = new Set<WorkerProcess>();
  const policy = restartPolicy();
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;
  let isStarted = false;
  let port: number | undefined;
  let launched = 0;
  let crashes = 0;
  let endedCounters = "";
  let rounds: Promise<void> = nothing;
  let nextRound: Promise<void> | undefined;

  return {
    start: () => {
      const starting = startAll();
      rounds = starting.then(() => undefined);
      return starting;
    },
    replaceAll: () => {
      nextRound ??= rounds = rounds.then(() => {
        nextRound = undefined;
        return replaceEach();
      });
      return nextRound;
    },
    stop: async (signal) => {
      const isSecond = isStopping();
      stopping.abort();
      const ending = [...alive].map((worker) => {
        // A second request would interrupt the requests of a worker that is stopping already.
        if (isSecond || !leaving.has(worker)) worker.stop(signal);
        return worker.ended;
      });
      return (await Promise.all(ending)).every(({ code }) => code === 0);
    },
    kill: () => {
      for (const worker of alive) worker.kill();
    },
    serving: () => [...serving],
    metrics: async (ms) => {
      const current = new Set<WorkerProcess>();
      const request = async (worker: WorkerProcess): Promise<void> => {
        if (await worker.metrics.request(ms)) current.add(worker);
      };
      await Promise.all([...alive].map(request));
      // Reads all values without an `await` between them, so that a worker that is just ending is
      // counted once.
      const texts = [...alive].map((worker) => {
        const latest = worker.metrics.latest();
        return serving.has(worker) && current.has(worker) ? latest : addedMetricsOf(latest);
      });
      return sumMetrics([endedCounters, ...texts]);
    },
    crashes: () => crashes,
  };

  async function startAll(): Promise<number | undefined> {
    const [first, ...others] = slots;
    // The first worker starts alone, so that a wrong setting is printed once.
    for (const some of [first === undefined ? [] : [first], others]) {
      await Promise.all(some.map(async (slot) => (slot.current = await launch())));
      if (some.some(({ current }) => current === undefined)) return undefined;
    }
    isStarted = true;
    for (const slot of slots) void keepRunning(slot);
    return port;
  }

  /** Starts a worker. Resolves with `undefined` if it does not start. */
  async function launch(): Promise<WorkerProcess | undefined> {
    if (isStopping()) return undefined;
    const worker = created();
    if (worker === undefined) return undefined;
    alive.add(worker);
    void worker.ended.then(() => {
      for (const workers of [alive, serving, leaving]) workers.delete(worker);
      endedCounters = sumMetrics([endedCounters, countersOf(worker.metrics.latest())]);
    });
    const itsPort = await worker.serving;
    if (itsPort === undefined) {
      worker.kill();
      const { code, signal } = await worker.ended;
      if (isStarted && !isStopping()) {
        crashes += 1;
        logger.error({ worker: worker.pid, code, signal }, "worker did not serve");
      }
      return undefined;
    }
    port = itsPort;
    if (alive.has(worker)) serving.add(worker);
    void killIfSilent(worker);
    return worker;
  }

  /** Kills a worker that no longer answers, so that `keepRunning` replaces it. */
  async function killIfSilent(worker: WorkerProcess): Promise<void> {
    const over = new AbortController();
    void worker.ended.then(() => {
      over.abort();
    });
    const signal = AbortSignal.any([stopping.signal, over.signal]);
    const isSilent = await untilSilent(worker, silenceDeadline, signal).then(
      () => true,
      () => false,
    );
    // `replace` sets the deadline for a worker that is being replaced.
    if (!isSilent || slots.every(({ current }) => current !== worker)) return;
    const at = await worker.stack(STACK_MS);
    // The worker may have ended meanwhile.
    if (over.signal.aborted) return;
    logger.error({ worker: worker.pid, at: at ?? "unknown" }, "worker does not answer: it is killed");
    worker.kill();
  }

  function created(): WorkerProcess | undefined {
    launched += 1;
    try {
      return createWorker(join(folder, `${launched}.sock`));
    } catch (thrown) {
      // The system has too little memory, or too many processes.
      logger.error({ err: thrown }, "no process was created for a worker");
      return undefined;
    }
  }

  /** Starts another worker whenever the worker of `slot` has ended. */
  async function keepRunning(slot: Slot): Promise<void> {
    while (!isStopping()) {
      const { current } = slot;
      if (current === undefined) {
        const starting = launch();
        slot.starting = starting;
        slot.current = await starting;
        if (slot.current !== undefined || isStopping()) continue;
        await backOff(0);
        continue;
      }
      const { code, signal, livedMs } = await current.ended;
      await slot.replacing;
      if (slot.current !== current || isStopping()) continue;
      slot.current = undefined;
      crashes += 1;
      logger.error({ worker: current.pid, code, signal }, "worker ended: another one replaces it");
      await backOff(livedMs);
    }
  }

  /** Waits before the next start, after a worker that lived `livedMs`. */
  async function backOff(livedMs: number): Promise<void> {
    if (isStopping()) return;
    const delay = policy.delayAfter(livedMs);
    if (policy.givesUp(serving.size)) onGivenUp();
    else await pause(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
  }

  async function replaceEach(): Promise<void> {
    if (!isStarted) return;
    for (const slot of slots) {
      const replacing = replace(slot);
      slot.replacing = replacing;
      if (!(await replacing)) return;
    }
  }

  /** Resolves with whether `slot` has a new worker. */
  async function replace(slot: Slot): Promise<boolean> {
    await slot.starting;
    const old = slot.current;
    // The worker has just ended, so `keepRunning` starts a new one.
    if (old === undefined) return true;
    const next = await launch();
    if (isStopping()) return false;
    if (next === undefined) {
      logger.error("no worker was replaced any more, because a new worker did not start");
      return false;
    }
    slot.current = next;
    serving.delete(old);
    if (alive.has(old)) leaving.add(old);
    old.stop("SIGHUP");
    if ((await valueOrTimeout(old.ended, stopDeadline)) === "timeout") {
      logger.error({ worker: old.pid }, "worker did not stop in time: it is killed");
      old.kill();
      await old.ended;
    }
    return true;
  }
}

const nothing = Promise.resolve();
