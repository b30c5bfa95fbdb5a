// Writes docs/reference and the other generated files from the sources. With `--check`, only prints
// which files are stale.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { MIGRATIONS } from "@tillkit/postgres";
import { root } from "@tillkit/repository";
import { format, resolveConfig } from "prettier";
import { freshSchemaParts } from "../../packages/postgres/src/testing/fresh-schema-parts.js";
import { operatorRoutes } from "../../packages/dashboard/src/api/routes.js";
import { clientSources, OPERATOR_TYPES_FILE, operatorTypes } from "./client-types.js";
import { coreProgram } from "./core-program.js";
import { databasePage } from "./database-page.js";
import { paymentsEndpoints } from "./endpoints.js";
import { EXPECTED_SCHEMA_FILE, expectedSchemaSource } from "./expected-schema.js";
import { OPENAPI_FILE, openApi } from "./openapi/document.js";
import { OPERATOR_OPENAPI_PAGE, operatorOpenApi } from "./operator-api/document.js";
import { reference } from "./reference.js";
import { staleFiles } from "./stale-files.js";

const folder = `${root}docs/reference`;
const parts = await freshSchemaParts();
const database = databasePage({ ...parts, migrations: MIGRATIONS });
const program = coreProgram();
const operatorDocument = operatorOpenApi(operatorRoutes);
const pages = new Map(
  await Promise.all(
    [
      ...reference(program),
      ["database.md", database] as const,
      [OPERATOR_OPENAPI_PAGE, operatorDocument] as const,
    ].map(async ([name, text]) => [name, await wrapped(`${folder}/${name}`, text)] as const),
  ),
);
const document = await openApi(paymentsEndpoints(program));
/** The generated files outside the folder of the reference. */
const others = [
  [EXPECTED_SCHEMA_FILE, await expectedSchemaSource(parts.tables)],
  [OPENAPI_FILE, document],
  ...(await clientSources(document)),
  [OPERATOR_TYPES_FILE, await operatorTypes(operatorDocument)],
] as const;
const files = new Map([...pages].map(([file, content]) => [`${folder}/${file}`, content]));
const stale = staleFiles(folder, pages).map((file) => `${folder}/${file}`);
for (const [file, content] of others) {
  files.set(file, content);
  if (!existsSync(file) || readFileSync(file, "utf8") !== content) stale.push(file);
}

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

/** Returns a page whose paragraphs are wrapped as the repository's other pages are. */
async function wrapped(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}
