import type { Logger } from "./logger.js";
import { outsideOfRequest } from "./request-log.js";

const SECOND = 1_000;

/**
 * Creates a function that counts rejected requests, and logs one line a second for each surface.
 *
 * Under overload, a line for each request would cost more than the rejection.
 */
export function refusalCounter(logger: Logger): (surface: string) => void {
  const counts = new Map<string, number>();
  return (surface) => {
    const before = counts.get(surface);
    counts.set(surface, (before ?? 0) + 1);
    if (before !== undefined) return;
    outsideOfRequest(() => {
      setTimeout(() => {
        const count = counts.get(surface);
        counts.delete(surface);
        logger.warn({ surface, count, failure: "overload" }, "requests refused: too many at once");
      }, SECOND).unref();
    });
  };
}
