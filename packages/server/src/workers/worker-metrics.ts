import { ask } from "./ask.js";

/** The metrics of a worker, as its supervisor reads them. */
export interface WorkerMetrics {
  /**
   * Requests the metrics from the worker.
   *
   * Resolves with false if the worker does not answer within `ms` milliseconds, or is ending. Then
   * `latest` still returns the previous metrics.
   */
  request(ms: number): Promise<boolean>;
  /** Stores the metrics after the worker's last request. No later answer replaces them. */
  setLast(text: string): void;
  /** Returns the latest metrics without a request. */
  latest(): string;
}

/** Creates the metrics of the worker that serves its supervisor at `socketPath`. Empty at first. */
export function workerMetrics(socketPath: string): WorkerMetrics {
  let metrics = "";
  let areLast = false;
  return {
    request: async (ms) => {
      const answer = await ask(socketPath, "/metrics", ms);
      // A worker that is ending answers with an error. An answer may arrive after the last metrics.
      if (answer?.status !== 200 || areLast) return false;
      metrics = answer.body;
      return true;
    },
    setLast: (text) => {
      [metrics, areLast] = [text, true];
    },
    latest: () => metrics,
  };
}
