/** A guard of money or access, deliberately broken: one piece of one file, and what stands there instead. */
export interface Mutant {
  /** In `kebab-case`; says what goes wrong. */
  readonly name: string;
  /** The promise the guard keeps. */
  readonly guards: string;
  /** From the repository's root. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** The text of the mutant's file with the guard broken, or `undefined` when `find` does not stand in it exactly once. */
export function mutated(text: string, { find, replace }: Mutant): string | undefined {
  const [before, after, ...more] = text.split(find);
  return before === undefined || after === undefined || more.length > 0
    ? undefined
    : before + replace + after;
}
