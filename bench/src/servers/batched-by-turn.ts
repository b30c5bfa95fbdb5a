/**
 * Creates a function whose calls of one turn of the event loop are run as one batch.
 *
 * @param run - receives the values of the calls, and the number of the batch.
 */
export function batchedByTurn<A>(
  run: (calls: readonly A[], nth: number) => Promise<void>,
): (call: A) => Promise<void> {
  let waiting: { readonly calls: A[]; readonly done: Promise<void> } | undefined;
  let runs = 0;
  return (call) => {
    if (waiting === undefined) {
      const calls: A[] = [];
      const turn = new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
      const done = turn.then(() => {
        waiting = undefined;
        runs += 1;
        return run(calls, runs);
      });
      waiting = { calls, done };
    }
    waiting.calls.push(call);
    return waiting.done;
  };
}
