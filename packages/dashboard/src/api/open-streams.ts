/** The maximum number of event streams per operator and process. A page opens one. */
const MAX_STREAMS = 20;

/** Counts the open event streams of each operator. */
export interface OpenStreams {
  /** Returns whether the operator has reached the maximum number of streams. */
  isFull(operator: string): boolean;
  /** Counts a stream. Returns a function that ends it. */
  open(operator: string): () => void;
}

/** Creates a counter for one surface. */
export function openStreams(): OpenStreams {
  const counts = new Map<string, number>();
  const change = (operator: string, by: number) => {
    const count = (counts.get(operator) ?? 0) + by;
    if (count > 0) counts.set(operator, count);
    else counts.delete(operator);
  };
  return {
    isFull: (operator) => (counts.get(operator) ?? 0) >= MAX_STREAMS,
    open: (operator) => {
      change(operator, 1);
      let isOpen = true;
      return () => {
        if (isOpen) change(operator, -1);
        isOpen = false;
      };
    },
  };
}
