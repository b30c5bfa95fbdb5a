/** Counts the open streams of each operator in one process. */
export interface OpenStreams {
  /** Returns whether the operator has reached the maximum number of streams. */
  isFull(operator: string): boolean;
  /**
   * Counts a stream.
   *
   * Returns a function that stops counting it, or `undefined` if the operator is at the limit.
   */
  open(operator: string): (() => void) | undefined;
}

/**
 * Creates a counter for one kind of stream.
 *
 * @param limit - how many streams one operator may have open.
 */
export function openStreams(limit: number): OpenStreams {
  const counts = new Map<string, number>();
  const isFull = (operator: string) => (counts.get(operator) ?? 0) >= limit;
  const change = (operator: string, by: number) => {
    const count = (counts.get(operator) ?? 0) + by;
    if (count > 0) counts.set(operator, count);
    else counts.delete(operator);
  };
  return {
    isFull,
    open: (operator) => {
      if (isFull(operator)) return undefined;
      change(operator, 1);
      let isOpen = true;
      return () => {
        if (isOpen) change(operator, -1);
        isOpen = false;
      };
    },
  };
}
