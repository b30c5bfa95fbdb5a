import { createHash } from "node:crypto";

/** One numbered migration. */
export interface Migration {
  readonly version: number;
  /** Its number and purpose, such as `0001-first-schema`. */
  readonly name: string;
  /** Runs with the schema as search path. */
  readonly sql: string;
  /** SHA-256 of the SQL, hexadecimal. `migrate` refuses a schema that stores another checksum. */
  readonly checksum: string;
  /** Whether versions that do not know it must refuse the schema: its SQL begins with `-- breaking`. */
  readonly breaking: boolean;
}

/** Makes a migration. Throws if the name does not begin with four digits. */
export function toMigration(name: string, sql: string): Migration {
  const [, version] = /^(\d{4})-[a-z0-9-]+$/.exec(name) ?? [];
  if (version === undefined) throw new Error(`The migration ${name} needs a name like 0001-what-it-does.`);
  return {
    version: Number(version),
    name,
    sql,
    checksum: createHash("sha256").update(sql).digest("hex"),
    breaking: /^-- breaking\b/.test(sql),
  };
}
