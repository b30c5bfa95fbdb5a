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
 * @example
 * ```ts
 * import { expectOk, openBeforeEach } from "@tillkit/contract-tests";
 * import { memoryStores } from "@tillkit/memory";
 * import { describe, expect, it } from "vitest";
 *
 * describe("my store", () => {
 *   const open = async () => ({ port: memoryStores().apps, close: async () => {} });
 *   const store = openBeforeEach(open);
 *
 *   it("returns undefined for an unknown app", async () => {
 *     expect(await expectOk(store().find("app_unknown"))).toBeUndefined();
 *   });
 * });
 * ```
 */
export function openBeforeEach<T>(open: () => Promise<Opened<T>>): () => T {
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

/**
 * Returns the value of a result. Fails the test and shows the failure if it is not ok.
 *
 * @returns the value.
 * @example
 * ```ts
 * import { anApp, expectOk } from "@tillkit/contract-tests";
 *
 * const app = await expectOk(stores.apps.insertOnce(anApp()));
 * ```
 */
export async function expectOk<T, E>(result: PromiseLike<Result<T, E>>): Promise<T> {
  const settled = await result;
  if (settled.isOk()) return settled.value;
  throw new Error(`Expected ok, got the failure ${inspect(settled.error, { depth: 5 })}`);
}

/**
 * Returns the failure of a result. Fails the test and shows the value if it is ok.
 *
 * @returns the failure.
 * @example
 * ```ts
 * import { expectFailure } from "@tillkit/contract-tests";
 *
 * const { name } = await expectFailure(stores.orders.find({ appId, bizNo: "order-1001" }));
 * ```
 */
export async function expectFailure<T, E>(result: PromiseLike<Result<T, E>>): Promise<E> {
  const settled = await result;
  if (settled.isErr()) return settled.error;
  throw new Error(`Expected a failure, got ${inspect(settled.value, { depth: 5 })}`);
}

/**
 * Starts `count` calls at once and returns their values in the order of the start.
 *
 * Fails the test if a call fails.
 *
 * @returns the values, in the order of the start.
 * @example
 * ```ts
 * import { anApp, race } from "@tillkit/contract-tests";
 *
 * const app = anApp();
 * const stored = await race(8, () => stores.apps.insertOnce(app));
 * ```
 */
export function race<T, E>(count: number, call: (caller: number) => PromiseLike<Result<T, E>>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, caller) => expectOk(call(caller))));
}
