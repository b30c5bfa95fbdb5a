import { DISTRIBUTION_COLUMNS, type Migration } from "@tillkit/postgres";
import type { CatalogueTable } from "../../packages/postgres/src/catalogue.js";
import { PRIVILEGES } from "../../packages/postgres/src/grants.js";
import { TABLE_NAMES, type TableName } from "../../packages/postgres/src/tables.js";
import type { SchemaParts } from "../../packages/postgres/src/testing/fresh-schema-parts.js";
import { code, codeBlock, page, table } from "./markdown.js";

/** The content of the page. */
export interface DatabasePageParts extends SchemaParts {
  readonly migrations: readonly Pick<Migration, "name" | "breaking">[];
}

/** Creates the database reference: tables, columns, indexes, grants and migrations. */
export function databasePage({ tables, comments, migrations }: DatabasePageParts): string {
  const about = (subject: string): string => {
    const comment = comments.get(subject);
    if (comment !== undefined) return comment;
    throw new Error(
      `${subject} says nothing about itself: give it a comment in the migration that makes it.`,
    );
  };
  const sections = TABLE_NAMES.map((name) => {
    const parts = tables[name];
    if (parts === undefined) throw new Error(`No migration creates the table ${name}.`);
    return tableSection(name, parts, about);
  });
  return page(
    "Database",
    "What the migrations of `@tillkit/postgres` make of a schema. Read it as you like, and let only the service write: it keeps rows of several tables " +
      "in step, and hashes that show when an event was changed.",
    "## How to read it",
    "A column that ends in `_ms` is an instant or a duration in milliseconds, instants counted from 1970-01-01 00:00 UTC; one that ends in `_cents` is money in cents. Null " +
      'stands for what is not there. Text with `collate "C"` compares byte by byte: the same on every machine, and case matters. The database says all this itself:',
    codeBlock(
      [
        "\\dt+ tillkit.*",
        "\\d+ tillkit.orders",
        "select biz_no, amount_cents / 100.0 as yuan, to_timestamp(paid_ms / 1000.0) as paid",
        "from tillkit.orders where app_id = 'app_1' and payment_status = 'PAID';",
      ].join("\n"),
      "sql",
    ),
    "## Roles",
    "The **owner** runs `migrate` and owns every table. The **application** is what hosts connect as: it may use the schema and do with each table what is said there, and " +
      "nothing else. `migrate` grants exactly that and takes back what is too much; `inspectSchema` names every right too few and too many.",
    "## Migrations",
    "They run in this order, all in one transaction, and only forward. Versions that do not know a breaking one refuse the schema.",
    table(
      ["Migration", "Breaking"],
      migrations.map(({ name, breaking }) => [code(name), breaking ? "yes" : "no"]),
    ),
    "## Tables",
    "Over the nodes of a cluster a table is spread by its distribution column; every node has a copy of a reference table.",
    table(
      ["Table", "What it holds", "Spread by"],
      TABLE_NAMES.map((name) => [`[${name}](#${name})`, about(name), spreadBy(name)]),
    ),
    ...sections.flat(),
  );
}

function tableSection(
  name: TableName,
  { columns, indexes, constraints }: CatalogueTable,
  about: (subject: string) => string,
): readonly string[] {
  const [primaryKey = ""] = Object.values(constraints).flatMap(
    (constraint) => /^PRIMARY KEY \((.*)\)$/.exec(constraint)?.[1] ?? [],
  );
  return [
    `### ${name}`,
    about(name),
    [
      `- Primary key: ${code(primaryKey)}`,
      `- Distribution column: ${spreadBy(name)}`,
      `- The application may: ${PRIVILEGES[name]}`,
    ].join("\n"),
    table(
      ["Column", "Type", "Null", "Meaning"],
      Object.entries(columns).map(([column, definition]) => [
        code(column),
        code(definition.replace(" not null", "")),
        definition.includes(" not null") ? "no" : "yes",
        about(`${name}.${column}`),
      ]),
    ),
    table(
      ["Index", "Made of", "What it is for"],
      Object.entries(indexes).map(([index, definition]) => [code(index), code(definition), about(index)]),
    ),
  ];
}

function spreadBy(name: TableName): string {
  if (name === "schema_migrations") return "none: it stays on the coordinator";
  const column = DISTRIBUTION_COLUMNS[name];
  return column === null ? "reference table" : code(column);
}
