// Writes docs/reference and the other generated files from the sources. With `--check`, only prints
// which files are stale.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { MIGRATIONS } from "@tillkit/postgres";
import { root } from "@tillkit/repository";
import { freshSchemaParts } from "../../packages/postgres/src/testing/fresh-schema-parts.js";
import { databasePage } from "./database-page.js";
import { EXPECTED_SCHEMA_FILE, expectedSchemaSource } from "./expected-schema.js";
import { reference } from "./reference.js";
import { staleFiles } from "./stale-files.js";

const folder = `${root}docs/reference`;
const parts = await freshSchemaParts();
const database = databasePage({ ...parts, migrations: MIGRATIONS });
const pages = new Map([...reference(), ["database.md", database]]);
const expectedSchema = await expectedSchemaSource(parts.tables);
const files = new Map([...pages].map(([file, content]) => [`${folder}/${file}`, content]));
const stale = staleFiles(folder, pages).map((file) => `${folder}/${file}`);
files.set(EXPECTED_SCHEMA_FILE, expectedSchema);
if (readFileSync(EXPECTED_SCHEMA_FILE, "utf8") !== expectedSchema) stale.push(EXPECTED_SCHEMA_FILE);

if (process.argv.includes("--check")) {
  for (const file of stale) console.error(`${relative(root, file)} is stale`);
  if (stale.length > 0) console.error("Run `npm run docs` and commit the result.");
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  mkdirSync(folder, { recursive: true });
  for (const file of stale) {
    const content = files.get(file);
    if (content === undefined) rmSync(file, { recursive: true });
    else writeFileSync(file, content);
    console.log(`${content === undefined ? "removed" : "wrote"} ${relative(root, file)}`);
  }
  if (stale.length === 0) console.log("The generated files are up to date");
}
