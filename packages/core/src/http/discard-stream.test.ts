import { expect, it, vi } from "vitest";
import { discardStream } from "./discard-stream.js";

it("calls return() of a stream without reading it", async () => {
  const next = vi.fn();
  const finish = vi.fn(async () => ({ done: true, value: undefined }) as const);
  await discardStream({ [Symbol.asyncIterator]: () => ({ next, return: finish }) });
  expect(finish).toHaveBeenCalledOnce();
  expect(next).not.toHaveBeenCalled();
});

it("accepts text, bytes and an iterator without return()", async () => {
  const next = vi.fn();
  for (const body of ["text", new Uint8Array(1), { [Symbol.asyncIterator]: () => ({ next }) }])
    await expect(discardStream(body)).resolves.toBeUndefined();
  expect(next).not.toHaveBeenCalled();
});
