import { createHash } from "node:crypto";

/** A numbered migration. */
export interface Migration {
  readonly version: number;
  /** The number and the purpose, such as `0001-first-schema`. */
  readonly name: string;
  /** The SQL of the migration. It runs with the schema as search path. */
  readonly sql: string;
  /** The SHA-256 of the SQL in hexadecimal. `migrate` refuses a schema with another checksum. */
  readonly checksum: string;
  /**
   * Whether versions without this migration must refuse the schema.
   *
   * The SQL of such a migration begins with `-- breaking`.
   */
  readonly breaking: boolean;
}

/** Creates a migration. Throws if the name does not begin with four digits. */
export function toMigration(name: string, sql: string): Migration {
  const [, version] = /^(\d{4})-[a-z0-9-]+$/.exec(name) ?? [];
  if (version === undefined)
    throw new Error(`The migration ${name} must have a name like 0001-what-it-does.`);
  return {
    version: Number(version),
    name,
    sql,
    checksum: createHash("sha256").update(sql).digest("hex"),
    breaking: /^-- breaking\b/.test(sql),
  };
}
