import { ERROR_CATALOG } from "@tillkit/core/errors";
import { at } from "./testing/json.js";
import type { ClientRecords } from "./client-records.js";
import type { RunningHost } from "./crash-environment.js";

/** The connection of callers to a host that is killed and restarted. */
export interface HostConnection {
  /** Sets the running host, or `undefined` before it is killed. */
  connect(host: RunningHost | undefined): void;
  /** Waits for a host and sends one request. Returns `undefined` if no response arrived. */
  once(ask: HostCall): Promise<unknown>;
  /** Repeats the request until a response arrives that is not retryable. */
  persist(ask: HostCall): Promise<unknown>;
  /** Counts an acknowledged request. */
  acknowledge(): void;
  /** Resolves after `count` further acknowledgements. */
  acknowledged(count: number): Promise<void>;
}

interface Goal {
  readonly count: number;
  reached(): void;
}

type HostCall = (host: RunningHost) => Promise<unknown>;

const RETRYABLE: ReadonlySet<unknown> = new Set(
  Object.values(ERROR_CATALOG)
    .filter(({ retryable }) => retryable)
    .map(({ code }) => code),
);
/** The delay before a retry, in milliseconds. */
const PAUSE = 30;

/** Creates a connection without a host. */
export function openHostConnection(known: ClientRecords): HostConnection {
  let host: Promise<RunningHost>;
  let connected: (running: RunningHost) => void = () => undefined;
  let goal: Goal = { count: Infinity, reached: () => undefined };
  const disconnect = () => {
    host = new Promise((resolve) => {
      connected = resolve;
    });
  };
  disconnect();
  const once: HostConnection["once"] = async (ask) => {
    const running = await host;
    known.requests += 1;
    return ask(running).catch(() => undefined);
  };
  return {
    connect: (running) => {
      if (running === undefined) disconnect();
      else connected(running);
    },
    once,
    persist: async (ask) => {
      for (;;) {
        const answer = await once(ask);
        if (answer !== undefined && !RETRYABLE.has(at(answer, "code"))) return answer;
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    },
    acknowledge: () => {
      known.acknowledged += 1;
      if (known.acknowledged >= goal.count) goal.reached();
    },
    acknowledged: (count) =>
      new Promise((resolve) => {
        goal = { count: known.acknowledged + count, reached: resolve };
      }),
  };
}
