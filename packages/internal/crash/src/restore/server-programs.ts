import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The programs of PostgreSQL that the restore test runs: the server, and the tools for a backup.
 */
const NEEDED = ["postgres", "initdb", "pg_basebackup", "pg_dump", "pg_restore"];
/** Where Debian and Ubuntu install one folder per version of PostgreSQL. */
const INSTALLED = "/usr/lib/postgresql";

/**
 * Returns a folder that has PostgreSQL's server and its backup programs.
 *
 * @param given - the folder to use, or an empty text to use the newest installed version.
 * @returns the folder, or `undefined` if no folder has all programs.
 */
export function findServerPrograms(given: string): string | undefined {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : [];
  const newestFirst = versions.sort((left, right) => Number(right) - Number(left));
  const folders = given === "" ? newestFirst.map((version) => join(INSTALLED, version, "bin")) : [given];
  return folders.find((folder) => NEEDED.every((program) => existsSync(join(folder, program))));
}
