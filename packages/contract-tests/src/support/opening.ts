import { inspect } from "node:util";
import type { Result } from "neverthrow";
import { afterEach, beforeEach } from "vitest";

/** A port that was opened for one test, and the function that closes it. */
export interface Opened<T> {
  readonly port: T;
  close(): Promise<void>;
}

/**
 * Opens a new port before each test of the surrounding `describe`, and closes it after the test.
 *
 * @returns a function that returns the open port.
 */
export function opening<T>(open: () => Promise<Opened<T>>): () => T {
  let opened: Opened<T> | undefined;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
  return () => {
    if (opened === undefined) throw new Error("A port is open only while a test runs.");
    return opened.port;
  };
}

/** Returns the value of a result. Fails the test and shows the failure if it is not ok. */
export async function expectOk<T, E>(result: PromiseLike<Result<T, E>>): Promise<T> {
  const settled = await result;
  if (settled.isOk()) return settled.value;
  throw new Error(`Expected ok, got the failure ${inspect(settled.error, { depth: 5 })}`);
}

/** Returns the failure of a result. Fails the test and shows the value if it is ok. */
export async function expectFailure<T, E>(result: PromiseLike<Result<T, E>>): Promise<E> {
  const settled = await result;
  if (settled.isErr()) return settled.error;
  throw new Error(`Expected a failure, got ${inspect(settled.value, { depth: 5 })}`);
}

/**
 * Starts `count` calls at once and returns their values in the order of the start.
 *
 * Fails the test if a call fails.
 */
export function race<T, E>(count: number, call: (caller: number) => PromiseLike<Result<T, E>>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, caller) => expectOk(call(caller))));
}
