import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

/** One numbered migration. */
export interface Migration {
  readonly version: number;
  /** The name of its file without `.sql`, such as `0001-first-schema`. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, hexadecimal: an applied migration must not be edited. */
  readonly checksum: string;
  /** Whether code that does not know it must not touch the schema any more: its file begins with `-- breaking`. */
  readonly breaking: boolean;
}

/** The migrations of this version of the package, in their order. They run with the schema as search path. */
export async function readMigrations(): Promise<readonly Migration[]> {
  // This file, and what it is built into, are one folder below the package's.
  const folder = new URL("../migrations/", import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  return Promise.all(
    files.map(async (file) => toMigration(file, await readFile(new URL(file, folder), "utf8"))),
  );
}

/** The migration in the file called `file`. Throws when the name does not begin with four digits. */
export function toMigration(file: string, sql: string): Migration {
  const [, version] = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(file) ?? [];
  if (version === undefined) throw new Error(`${file} is not called like 0001-what-it-does.sql.`);
  return {
    version: Number(version),
    name: file.slice(0, -".sql".length),
    sql,
    checksum: createHash("sha256").update(sql).digest("hex"),
    breaking: /^-- breaking\b/.test(sql),
  };
}
