/**
 * Runs every job in order, `width` at a time. Returns all promises immediately.
 *
 * A job that fails does not stop the others.
 */
export function inPool<T>(width: number, jobs: readonly (() => Promise<T>)[]): readonly Promise<T>[] {
  const lanes: Promise<unknown>[] = [];
  return jobs.map((job, index) => {
    const before = lanes[index % width] ?? Promise.resolve();
    const result = before.then(job, job);
    lanes[index % width] = result;
    // The caller that awaits the result sees the failure. Until then it must not count as
    // unhandled.
    result.catch(() => undefined);
    return result;
  });
}
