import { InvalidArgumentError } from "@commander-js/extra-typings";

/** Parses an option as a whole number of at least 0. */
export function wholeNumber(text: string): number {
  return wholeNumberTo(Number.MAX_SAFE_INTEGER)(text);
}

/** Parses an option as the seconds between two reads of a command that follows something. */
export function pauseBetweenReads(text: string): number {
  const seconds = wholeNumberTo(3_600)(text);
  if (seconds === 0) throw new InvalidArgumentError("The pause must be at least 1 second.");
  return seconds;
}

/** Returns a parser for an option that is a whole number from 0 to `most`. */
export function wholeNumberTo(most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number > most) {
      const range = most === Number.MAX_SAFE_INTEGER ? "" : ` from 0 to ${most}`;
      throw new InvalidArgumentError(
        `The value must be a whole number${range}, without a sign, a decimal point or a unit.`,
      );
    }
    return number;
  };
}
