import type { Load, LoadStep } from "./load.js";

// A prime, so that its multiples visit all numbers in a scattered order before one repeats.
const STRIDE = 7_368_787;

/** The numbers of a generator's operations. */
export interface WorkNumbers {
  /** Returns the numbers, in order. */
  readonly next: () => number;
  /** Returns how many numbers were taken. */
  readonly taken: () => number;
}

/** Numbers the operations of a generator from 1 on, or spreads the numbers over 1 to `among`. */
export function workNumbers({ among }: Pick<Load, "among">): WorkNumbers {
  let count = 0;
  return {
    next: () => {
      count += 1;
      return among === undefined ? count : ((count * STRIDE) % among) + 1;
    },
    taken: () => count,
  };
}

/** The values that fill the placeholders of a request. */
export interface Filling {
  readonly n: number;
  readonly run: string;
  readonly kept?: string;
}

/** Fills the placeholders of a request. Throws if there is no item for the operation. */
export function fillIn(
  { path, headers, body, ...rest }: LoadStep,
  { items, customers }: Pick<Load, "items" | "customers">,
  { n, run, kept = "" }: Filling,
): LoadStep {
  const item = items?.[n - 1];
  if (items !== undefined && item === undefined)
    throw new Error(`Only ${items.length} work items were prepared for a round.`);
  const customer = customers === undefined ? n : 1 + ((n - 1) % customers);
  const places = { n, n8: `${n}`.padStart(8, "0"), customer, run, kept, ...item };
  const fill = (text: string): string =>
    text.includes("{")
      ? Object.entries(places).reduce(
          (filled, [name, value]) => filled.replaceAll(`{${name}}`, `${value}`),
          text,
        )
      : text;
  return {
    ...rest,
    path: fill(path),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
    ...(body === undefined ? {} : { body: fill(body) }),
  };
}
