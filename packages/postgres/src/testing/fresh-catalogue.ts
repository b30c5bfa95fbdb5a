import { PGlite } from "@electric-sql/pglite";
import { type Catalogue, readCatalogue } from "../catalogue.js";
import { migrate } from "../migrate.js";
import { pgliteClient } from "../pglite.js";

/** What the migrations make of an empty database. */
export async function freshCatalogue(): Promise<Catalogue> {
  const sql = pgliteClient(await PGlite.create());
  try {
    const migrated = await migrate({ sql, schema: "tillkit" });
    if (migrated.isErr())
      throw new Error("The migrations fail on an empty database.", { cause: migrated.error });
    return (await readCatalogue(sql, "tillkit")).tables;
  } finally {
    await sql.close();
  }
}
