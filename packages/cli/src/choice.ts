import { InvalidArgumentError } from "@commander-js/extra-typings";

/** Reads one of `choices` in any letter case, and gives it as it is written there. To be set after `choices`, whose own reading takes no other case. */
export function inAnyCase<const T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const chosen = choices.find((choice) => choice.toUpperCase() === text.toUpperCase());
    if (chosen === undefined) throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
    return chosen;
  };
}
