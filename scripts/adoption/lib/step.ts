import type { PackedPackage } from "../../lib/pack.js";

/** What a step works with. */
export interface Workplace {
  /** An empty folder of the step's own. */
  readonly folder: string;
  /** The packages of this repository, which npm installs from a registry on this machine. */
  readonly tarballs: readonly PackedPackage[];
  /** Creates an empty database on a PostgreSQL server that all steps share, and returns its URL. */
  readonly createDatabase: () => Promise<string>;
}

/** Something that an adopter does with the published packages, in an empty folder. */
export interface AdoptionStep {
  /** The name for `--only`. */
  readonly name: string;
  /** What the step shows, in a few words. */
  readonly shows: string;
  /** Returns what was found, for the report. Rejects if something does not work. */
  run(workplace: Workplace): Promise<string>;
}
