import { InvalidArgumentError } from "@commander-js/extra-typings";

/**
 * Parses one of `choices` in any letter case, and returns it in the case of `choices`.
 *
 * Call commander's `argParser` with it after `choices()`, which would accept only the exact case.
 */
export function inAnyCase<const T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const chosen = choices.find((choice) => choice.toUpperCase() === text.toUpperCase());
    if (chosen === undefined) throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
    return chosen;
  };
}
