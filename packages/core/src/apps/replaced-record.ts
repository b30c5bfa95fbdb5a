import type { Digest } from "../shared/digest.js";

/**
 * The result of replacing an imported record, `OrderStore.replaceImported` for example.
 *
 * - `replaced`: the record has the new values.
 * - `changed`: the stored record is not the one that the caller read. Read it again.
 * - `touched`: something other than an import has changed the stored record.
 */
export type ReplaceResult = "replaced" | "changed" | "touched";

/**
 * Returns the detail of the audit entry of a replaced record: what changed, old and new.
 *
 * The detail has values only of the members in `open`, which contain no personal data. `sha256` is
 * the hash of the replaced line.
 */
export function replacedDetail(
  digest: Pick<Digest, "sha256">,
  [before, after]: readonly [before: string, after: string],
  open: readonly string[],
): string {
  const [left, right] = [membersOf(before), membersOf(after)];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  const differences = names.filter((name) => left.get(name) !== right.get(name));
  const visible = differences.filter((name) => open.includes(name));
  const valuesOf = (members: ReadonlyMap<string, unknown>) =>
    Object.fromEntries(visible.map((name) => [name, members.get(name) ?? null]));
  return JSON.stringify({
    sha256: digest.sha256(before),
    changed: differences,
    before: valuesOf(left),
    after: valuesOf(right),
  });
}

/** Returns the members of a line, which is a flat JSON object. */
function membersOf(line: string): ReadonlyMap<string, unknown> {
  const parsed: unknown = JSON.parse(line);
  return new Map(typeof parsed === "object" && parsed !== null ? Object.entries(parsed) : []);
}
