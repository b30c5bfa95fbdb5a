/** How many signatures run concurrently: enough for all processors, without much memory. */
const AT_ONCE = 1_000;

/** Signs the messages with the numbers `first` to `last`. */
export async function signAll<T>(
  { first, last }: { readonly first: number; readonly last: number },
  signOne: (n: number) => Promise<T>,
): Promise<readonly T[]> {
  const count = last - first + 1;
  const signed: T[] = [];
  while (signed.length < count) {
    const length = Math.min(AT_ONCE, count - signed.length);
    const numbers = Array.from({ length }, (_, index) => first + signed.length + index);
    signed.push(...(await Promise.all(numbers.map((n) => signOne(n)))));
  }
  return signed;
}
