import type { Load, Step } from "./load.js";

// A prime, so that its multiples go all over the numbers before any comes again.
const STRIDE = 7_368_787;

/** The numbers of a generator's works, in their order. */
export function workNumbers({ among }: Pick<Load, "among">): () => number {
  let count = 0;
  return () => {
    count += 1;
    return among === undefined ? count : ((count * STRIDE) % among) + 1;
  };
}

/** What is put into a request. */
export interface Filling {
  readonly n: number;
  readonly run: string;
  readonly kept?: string;
}

/** The request with its places filled in. */
export function fillIn(
  { path, body, ...rest }: Step,
  { items = [] }: Pick<Load, "items">,
  { n, run, kept = "" }: Filling,
): Step {
  const item = items[n % items.length] ?? "";
  const fill = (text: string): string =>
    text
      .replaceAll("{n}", `${n}`)
      .replaceAll("{n8}", `${n}`.padStart(8, "0"))
      .replaceAll("{run}", run)
      .replaceAll("{item}", item)
      .replaceAll("{kept}", kept);
  return { ...rest, path: fill(path), ...(body === undefined ? {} : { body: fill(body) }) };
}
