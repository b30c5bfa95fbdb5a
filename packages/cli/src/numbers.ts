import { InvalidArgumentError } from "@commander-js/extra-typings";

/** Reads an option that is a whole number of at least 0. */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError("It must be a whole number, without sign, point or unit.");
  return number;
}
