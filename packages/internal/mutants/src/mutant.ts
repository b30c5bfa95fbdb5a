/** A guard of money or access that is broken on purpose: one text of one file is replaced. */
export interface Mutant {
  /** In `kebab-case`; names what goes wrong. */
  readonly name: string;
  /** The promise that the guard keeps. */
  readonly guards: string;
  /** The path from the root of the repository. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Requires that a contract suite catches the mutant. Always true for a rule of a store. */
  readonly needsContract?: true;
  /**
   * For a rule of a store: the mutant of the same rule in the other storage.
   *
   * Absent if the name of that mutant follows the convention.
   */
  readonly twin?: string;
  /** For a rule of a store: why the other storage has no such rule. */
  readonly onlyHere?: string;
  /** The only suite that runs on the mutant. Absent if every suite of its file runs. */
  readonly shownTo?: "month";
  /**
   * Set for code in a storage package that no port requires: the purpose of this code.
   *
   * No contract suite must then catch the mutant.
   */
  readonly keepsNoPromise?: string;
}

/**
 * Returns the file's text with the guard broken. `undefined` if `find` does not occur exactly once.
 */
export function mutated(text: string, { find, replace }: Mutant): string | undefined {
  const [before, after, ...more] = text.split(find);
  return before === undefined || after === undefined || more.length > 0
    ? undefined
    : before + replace + after;
}

/**
 * Files in `packages/memory/src` that are not stores: test doubles of wallets, SMS carrier and
 * clock.
 */
const NOT_STORAGE =
  /^packages\/memory\/src\/(?:[a-z-]+\/)?(?:memory-wallet|wallet-|recording-|test-clock|example-)/;

/** Whether the mutant breaks a rule of a store. A contract suite must then catch it. */
export function isStoreRule({ file }: Pick<Mutant, "file">): boolean {
  if (file.startsWith("packages/postgres/src/")) return true;
  return file.startsWith("packages/memory/src/") && !NOT_STORAGE.test(file);
}

/** Whether only a catch by a contract suite counts for the mutant. */
export function needsContract(mutant: Mutant): boolean {
  return mutant.needsContract === true || (isStoreRule(mutant) && mutant.keepsNoPromise === undefined);
}

/**
 * Returns the name of the mutant of the same rule in the other storage.
 *
 * By convention the SQL form of `name` is `sql-name`. If the SQL is a batched statement, the name
 * also ends in `-batched`.
 */
export function twinOf({ name, twin }: Pick<Mutant, "name" | "twin">): string {
  if (twin !== undefined) return twin;
  return name.startsWith("sql-") ? name.slice("sql-".length).replace(/-batched$/, "") : `sql-${name}`;
}
