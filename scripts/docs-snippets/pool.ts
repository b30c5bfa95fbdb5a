/** Starts every job, `width` at a time, in order. Returns a promise for each at once; one that fails stops no other. */
export function inPool<T>(width: number, jobs: readonly (() => Promise<T>)[]): readonly Promise<T>[] {
  const lanes: Promise<unknown>[] = [];
  return jobs.map((job, index) => {
    const before = lanes[index % width] ?? Promise.resolve();
    const result = before.then(job, job);
    lanes[index % width] = result;
    // Whoever awaits the result sees the failure; until then it is not an unhandled one.
    result.catch(() => undefined);
    return result;
  });
}
