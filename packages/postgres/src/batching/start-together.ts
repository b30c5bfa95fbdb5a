// Imported, because fake timers in a test replace the global function and would stop the stores.
import { setImmediate } from "node:timers";
import { settledOrTimeout } from "./settled-or-timeout.js";

/**
 * Starts the calls of one turn of the event loop together.
 *
 * Later calls wait until the started calls have settled, for at most 50 ms, and then start
 * together. More calls can therefore share a statement. Each call settles on its own.
 */
export function startTogether<A, R>(run: (call: A) => Promise<R>): (call: A) => Promise<R> {
  let waiting: (() => Promise<void>)[] = [];
  let underWay = false;
  const startLater = (): void => {
    if (underWay || waiting.length === 0) return;
    underWay = true;
    setImmediate(() => {
      const group = waiting;
      waiting = [];
      void settledOrTimeout(Promise.all(group.map((start) => start()))).then(() => {
        underWay = false;
        startLater();
      });
    });
  };
  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push(() => run(call).then(resolve, reject));
      startLater();
    });
}
