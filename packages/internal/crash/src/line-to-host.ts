import { ERROR_CATALOG } from "@tillkit/core/errors";
import { at } from "./testing/json.js";
import type { Knowledge } from "./knowledge.js";
import type { RunningHost } from "./world.js";

/** How callers reach a host that comes and goes. */
export interface Line {
  /** The host has started, or is to be killed. */
  connect(host: RunningHost | undefined): void;
  /** Asks once; `undefined` when no answer came. Waits for a host first. */
  once(ask: Ask): Promise<unknown>;
  /** Asks until there is an answer that is not to ask again. */
  persist(ask: Ask): Promise<unknown>;
  /** Counts what was acknowledged. */
  acknowledge(): void;
  /** Resolves after so many acknowledgements from now on. */
  acknowledged(count: number): Promise<void>;
}

interface Goal {
  readonly count: number;
  reached(): void;
}

type Ask = (host: RunningHost) => Promise<unknown>;

const RETRYABLE: ReadonlySet<unknown> = new Set(
  Object.values(ERROR_CATALOG)
    .filter(({ retryable }) => retryable)
    .map(({ code }) => code),
);
/** How long a caller waits before it asks again, in milliseconds. */
const PAUSE = 30;

/** A line that is not connected yet. */
export function openLine(known: Knowledge): Line {
  let host: Promise<RunningHost>;
  let connected: (running: RunningHost) => void = () => undefined;
  let goal: Goal = { count: Infinity, reached: () => undefined };
  const disconnect = () => {
    host = new Promise((resolve) => {
      connected = resolve;
    });
  };
  disconnect();
  const once: Line["once"] = async (ask) => {
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
