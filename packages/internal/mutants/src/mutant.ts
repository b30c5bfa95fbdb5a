/** A guard of money or access, deliberately broken: one text of one file is replaced by another. */
export interface Mutant {
  /** In `kebab-case`; names what goes wrong. */
  readonly name: string;
  /** The promise that the guard keeps. */
  readonly guards: string;
  /** Path from the root of the repository. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Requires that a contract suite catches the mutant. Always true for a rule of a store. */
  readonly needsContract?: true;
  /** For a rule of a store: the mutant of the same rule in the other storage, if its name does not follow the convention. */
  readonly twin?: string;
  /** For a rule of a store: why the other storage has no such rule. */
  readonly onlyHere?: string;
  /** For code of a storage that keeps no promise of a port: what it is for. Then no contract is required. */
  readonly keepsNoPromise?: string;
}

/** The text of the mutant's file with the guard broken, or `undefined` if `find` does not occur exactly once. */
export function mutated(text: string, { find, replace }: Mutant): string | undefined {
  const [before, after, ...more] = text.split(find);
  return before === undefined || after === undefined || more.length > 0
    ? undefined
    : before + replace + after;
}

/** What in `packages/memory/src` is not storage: the doubles of the wallets, of the SMS carrier and of the clock. */
const NOT_STORAGE = /^packages\/memory\/src\/(memory-wallet|wallet-|recording-|test-clock|example-)/;

/** Whether the mutant breaks a rule of a store: then a contract suite must catch it. */
export function isStoreRule({ file }: Pick<Mutant, "file">): boolean {
  if (file.startsWith("packages/postgres/src/")) return true;
  return file.startsWith("packages/memory/src/") && !NOT_STORAGE.test(file);
}

/** Whether only a catch by a contract suite counts for the mutant. */
export function needsContract(mutant: Mutant): boolean {
  return mutant.needsContract === true || (isStoreRule(mutant) && mutant.keepsNoPromise === undefined);
}

/**
 * The name of the mutant of the same rule in the other storage. By convention the SQL form of `name` is
 * `sql-name`, and a form in a statement for several calls ends in `-in-a-group`.
 */
export function twinOf({ name, twin }: Pick<Mutant, "name" | "twin">): string {
  if (twin !== undefined) return twin;
  return name.startsWith("sql-") ? name.slice("sql-".length).replace(/-in-a-group$/, "") : `sql-${name}`;
}
