/** A streamed body that a test controls. */
export interface TestStream {
  readonly body: AsyncIterable<string>;
  /** Resolves when the binding has called `return()`. */
  readonly returned: Promise<void>;
  /** Returns how many texts the binding has requested. */
  pulls(): number;
  /** Makes the stream deliver a text. */
  send(text: string): void;
  /** Ends the stream after the texts that were sent before. */
  end(): void;
  /** Makes the stream throw after the texts that were sent before. */
  fail(error: Error): void;
}

/**
 * Creates a stream that waits until the test sends a text.
 *
 * Like in a generator that waits for something else, `return()` does not settle a pending `next()`.
 */
export function testStream(): TestStream {
  const steps: (() => IteratorResult<string, undefined>)[] = [];
  let wake = (): void => undefined;
  let pulls = 0;
  let noteReturn = (): void => undefined;
  const returned = new Promise<void>((resolve) => (noteReturn = resolve));
  const add = (step: () => IteratorResult<string, undefined>): void => {
    steps.push(step);
    wake();
  };
  const body: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        pulls += 1;
        for (;;) {
          const step = steps.shift();
          if (step !== undefined) return step();
          await new Promise<void>((resolve) => (wake = resolve));
        }
      },
      return: async () => {
        noteReturn();
        return { done: true, value: undefined };
      },
    }),
  };
  return {
    body,
    returned,
    pulls: () => pulls,
    send: (value) => add(() => ({ done: false, value })),
    end: () => add(() => ({ done: true, value: undefined })),
    fail: (error) =>
      add(() => {
        throw error;
      }),
  };
}
