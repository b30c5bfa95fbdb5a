import { err, type Result, ResultAsync } from "neverthrow";
import type { TestClock } from "../ports/test-clock.js";
import {
  checkFailure,
  defaultFailure,
  type FaultableMethod,
  type FaultablePort,
  methodsByPort,
  type PortFailure,
} from "./faultable-ports.js";

/** How often a fault occurs, and with which failure. */
export interface FaultOptions<P extends FaultablePort> {
  /** The number of calls, at least 1. Defaults to 1. */
  readonly times?: number;
  /**
   * The failure of the calls.
   *
   * Defaults to `storage.unavailable` for a store, and to a time-out for a wallet. For the SMS
   * carrier it defaults to `sms.rejected`, or to `sms.unknown` if the answer is lost.
   */
  readonly failure?: PortFailure<P>;
}

/** A call that waits until the test releases it. */
export interface HeldCall {
  /** Resolves when the call has been made. */
  readonly reached: Promise<void>;
  /** Lets the call continue. */
  release(): void;
}

/**
 * Makes calls of ports fail, lose their answers, take time, or wait.
 *
 * A fault applies to the next calls of one method. Several faults of one method apply one after the
 * other. {@link PortFaults.verify} throws if the code under test did not make enough calls, so a
 * fault never goes unnoticed. Every method throws if the port or the method does not exist.
 */
export interface PortFaults {
  /** Makes the next calls fail before they take effect. */
  fail<P extends FaultablePort>(port: P, method: FaultableMethod<P>, options?: FaultOptions<P>): void;
  /** Executes the next calls, and replaces their answers with a failure. */
  loseAnswer<P extends FaultablePort>(port: P, method: FaultableMethod<P>, options?: FaultOptions<P>): void;
  /** Makes the next call last `ms` milliseconds of the shop's clock. It takes effect at the end. */
  delay<P extends FaultablePort>(port: P, method: FaultableMethod<P>, ms: number): void;
  /** Makes the next call wait until the test releases it. It takes effect afterwards. */
  hold<P extends FaultablePort>(port: P, method: FaultableMethod<P>): HeldCall;
  /** Throws if a fault did not occur, or if a held call was not released. The error lists them. */
  verify(): void;
}

interface HeldState {
  readonly text: string;
  readonly release: () => void;
  isReached: boolean;
  isReleased: boolean;
}

/** A fault that waits for its calls. */
interface ArmedFault {
  readonly text: string;
  /** The number of calls that the fault still applies to. */
  left: number;
  readonly run: (call: () => unknown) => unknown;
}

/** Returns the port with the faults of a shop. */
export type WrapPort = <T extends object>(port: FaultablePort, target: T) => T;

/** Creates the faults of one shop, and the function that adds them to a port. */
export function createPortFaults(clock: Pick<TestClock, "advance">): {
  readonly faults: PortFaults;
  readonly wrap: WrapPort;
  /** Releases all held calls and rejects further faults. */
  readonly end: () => void;
} {
  const methods = methodsByPort();
  const armed = new Map<string, ArmedFault[]>();
  const held: HeldState[] = [];
  let ended = false;

  const check = (port: string, method: string, times = 1): void => {
    if (ended) throw new Error(`The shop has ended: ${port}.${method} accepts no further fault.`);
    const known = methods.get(port);
    if (known === undefined)
      throw new TypeError(`There is no port "${port}". Use one of: ${[...methods.keys()].join(", ")}.`);
    if (!known.includes(method))
      throw new TypeError(`The port ${port} has no method "${method}". Use one of: ${known.join(", ")}.`);
    if (!Number.isSafeInteger(times) || times < 1)
      throw new RangeError(`A fault must apply to 1 or more calls, not to ${times}.`);
  };

  const arm = (port: string, method: string, times: number, text: string, run: ArmedFault["run"]): void => {
    const key = keyOf(port, method);
    armed.set(key, [...(armed.get(key) ?? []), { text: `${key} ${text}`, left: times, run }]);
  };

  const intercept = (port: string, method: string, call: () => unknown): unknown => {
    const fault = armed.get(keyOf(port, method))?.find(({ left }) => left > 0);
    if (fault === undefined) return call();
    fault.left -= 1;
    return fault.run(call);
  };

  const faults: PortFaults = {
    fail: (port, method, { times = 1, failure = defaultFailure(port, false) } = {}) => {
      check(port, method, times);
      checkFailure(port, failure);
      arm(port, method, times, "fails", () => new ResultAsync(Promise.resolve(err(failure))));
    },
    loseAnswer: (port, method, { times = 1, failure = defaultFailure(port, true) } = {}) => {
      check(port, method, times);
      checkFailure(port, failure);
      const lose = async (call: () => unknown) => {
        await resultOf(call);
        return err(failure);
      };
      arm(port, method, times, "loses its answer", (call) => new ResultAsync(lose(call)));
    },
    delay: (port, method, ms) => {
      check(port, method);
      if (!Number.isSafeInteger(ms) || ms < 1)
        throw new RangeError(`A delay must be 1 or more whole milliseconds, not ${ms}.`);
      arm(port, method, 1, `takes ${ms} ms`, (call) => {
        clock.advance(ms);
        return call();
      });
    },
    hold: (port, method) => {
      check(port, method);
      const [reached, reach] = signal();
      const [released, release] = signal();
      const state: HeldState = { text: keyOf(port, method), release, isReached: false, isReleased: false };
      arm(port, method, 1, "is held", (call) => {
        state.isReached = true;
        reach();
        return new ResultAsync(released.then(() => resultOf(call)));
      });
      held.push(state);
      return {
        reached,
        release: () => {
          state.isReleased = true;
          release();
        },
      };
    },
    verify: () => {
      const unused = [...armed.values()]
        .flat()
        .filter(({ left }) => left > 0)
        .map(({ text, left }) => `${text}: ${left} ${left === 1 ? "call" : "calls"} did not happen`);
      const waiting = held
        .filter(({ isReached, isReleased }) => isReached && !isReleased)
        .map(({ text }) => `${text} is held: the test did not release it`);
      if (unused.length + waiting.length === 0) return;
      const list = [...unused, ...waiting].map((line) => `\n- ${line}`).join("");
      throw new Error(`The test set faults that did not occur, or left calls waiting:${list}`);
    },
  };

  return {
    faults,
    wrap: (port, target) => {
      const known = methods.get(port) ?? [];
      // A proxy must return the members of a frozen target unchanged, so its target is a copy.
      return new Proxy(
        { ...target },
        {
          get: (_copy, name) => {
            const member: unknown = Reflect.get(target, name);
            if (typeof name !== "string" || typeof member !== "function") return member;
            return (...parameters: readonly unknown[]): unknown => {
              const call = (): unknown => Reflect.apply(member, target, parameters);
              return known.includes(name) ? intercept(port, name, call) : call();
            };
          },
        },
      );
    },
    end: () => {
      ended = true;
      for (const { release } of held) release();
    },
  };
}

/** Returns the result of a call of a port. */
async function resultOf(call: () => unknown): Promise<Result<unknown, unknown>> {
  const result = await call();
  if (!isResult(result)) throw new TypeError("The method of the port returned no Result.");
  return result;
}

function isResult(value: unknown): value is Result<unknown, unknown> {
  return typeof value === "object" && value !== null && "isOk" in value;
}

function signal(): readonly [happened: Promise<void>, happen: () => void] {
  let happen: () => void = () => undefined;
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return [happened, () => happen()];
}

function keyOf(port: string, method: string): string {
  return `${port}.${method}`;
}
