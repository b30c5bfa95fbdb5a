/** Resolves when `work` ends, and at the latest after `ms` milliseconds; the work goes on then. Tells which. */
export async function within(ms: number, work: Promise<unknown>): Promise<"done" | "late"> {
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
