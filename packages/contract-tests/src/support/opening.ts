import { inspect } from "node:util";
import type { Result } from "neverthrow";
import { afterEach, beforeEach } from "vitest";

/** A port opened for one test, and how to let go of what is behind it. */
export interface Opened<T> {
  readonly port: T;
  close(): Promise<void>;
}

/** Opens a fresh port before each test of the surrounding `describe` and closes it after; returns how to reach the open one. */
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

/** The value of a result that must be ok; a failure fails the test and is shown in full. */
export async function expectOk<T, E>(result: PromiseLike<Result<T, E>>): Promise<T> {
  const settled = await result;
  if (settled.isOk()) return settled.value;
  throw new Error(`Expected ok, got the failure ${inspect(settled.error, { depth: 5 })}`);
}

/** The failure of a result that must have failed; an ok value fails the test and is shown in full. */
export async function expectFailure<T, E>(result: PromiseLike<Result<T, E>>): Promise<E> {
  const settled = await result;
  if (settled.isErr()) return settled.error;
  throw new Error(`Expected a failure, got ${inspect(settled.value, { depth: 5 })}`);
}

/** Starts `count` calls at once and returns what each came to, in the order they were started. All must be ok. */
export function race<T, E>(count: number, call: (racer: number) => PromiseLike<Result<T, E>>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, racer) => expectOk(call(racer))));
}
