/** Resolves when `work` has settled or `signal` aborts, whichever comes first. Never rejects. */
export function settledOrAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener("abort", end);
      resolve();
    };
    if (signal.aborted) end();
    signal.addEventListener("abort", end);
    void work.then(end, end);
  });
}
