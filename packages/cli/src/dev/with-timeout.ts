/**
 * Waits until `work` ends, but at most `ms` milliseconds, and returns which of them happened.
 *
 * `work` continues after the timeout.
 */
export async function withTimeout(ms: number, work: Promise<unknown>): Promise<"done" | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => {
      resolve("late");
    }, ms);
  });
  try {
    return await Promise.race([work.then(() => "done" as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
