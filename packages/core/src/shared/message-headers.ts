/** What is wanted of a `Headers`: the value of a header, repeats joined, or `null` when it did not come. Names are asked for in lower case. */
export interface MessageHeaders {
  get(name: string): string | null;
}
