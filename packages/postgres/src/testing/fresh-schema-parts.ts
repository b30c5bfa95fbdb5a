import { PGlite } from "@electric-sql/pglite";
import { type SchemaDefinition, readSchemaDefinition } from "../admin/schema-definition.js";
import { migrate } from "../admin/migrate.js";
import { pgliteClient } from "../pglite.js";
import { type Comments, readComments } from "./read-comments.js";

/** The parts of a schema, with their comments. */
export interface SchemaParts {
  readonly tables: SchemaDefinition;
  readonly comments: Comments;
}

/** Returns the schema that the migrations create in an empty database. */
export async function freshSchemaParts(): Promise<SchemaParts> {
  const sql = pgliteClient(await PGlite.create());
  const schema = "tillkit";
  try {
    const migrated = await migrate({ sql, schema });
    if (migrated.isErr())
      throw new Error("The migrations fail on an empty database.", { cause: migrated.error });
    const { tables } = await readSchemaDefinition(sql, schema);
    return { tables, comments: await readComments(sql, schema) };
  } finally {
    await sql.close();
  }
}
