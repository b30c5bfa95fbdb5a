import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { migrate } from "@tillkit/postgres";
import { writeSnapshot } from "@tillkit/postgres/pglite";
import { root } from "@tillkit/repository";
import { SCHEMA } from "../../../cli/src/dev/open-storage.js";

const POSTGRES = `${root}packages/postgres/src`;

/**
 * Writes a snapshot of the migrated, empty database into `folder`, unless it has been written.
 *
 * Another version of PGlite or of the migrations gets another snapshot. If a snapshot is outdated
 * for another reason, the host migrates it like every database.
 *
 * @returns the path of the snapshot.
 */
export async function ensureSnapshot(folder: string): Promise<string> {
  const file = join(folder, `${digestOfSources()}.snapshot`);
  if (existsSync(file)) return file;
  const written = await writeSnapshot(file, (sql) => migrate({ sql, schema: SCHEMA }));
  if (written.isErr()) throw new Error(`The snapshot of the database was not written: ${written.error.name}`);
  return file;
}

function digestOfSources(): string {
  const pglite = createRequire(`${POSTGRES}/pglite.ts`).resolve("@electric-sql/pglite");
  const files = [
    join(dirname(pglite), "..", "package.json"),
    ...readdirSync(`${POSTGRES}/admin/migrations`)
      .sort()
      .map((name) => `${POSTGRES}/admin/migrations/${name}`),
    ...[
      "admin/migrate",
      "admin/migrations",
      "admin/schema-preparation",
      "embedded/folder-pack",
      "embedded/open-embedded",
      "embedded/write-snapshot",
    ].map((name) => `${POSTGRES}/${name}.ts`),
  ];
  const hash = createHash("sha256").update(SCHEMA);
  for (const file of files) hash.update(`\n${file}\n`).update(readFileSync(file));
  return hash.digest("hex").slice(0, 24);
}
