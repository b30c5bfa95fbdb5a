import { DISTRIBUTION_COLUMNS, type Migration } from "@tillkit/postgres";
import type { TableDefinition } from "../../packages/postgres/src/admin/schema-definition.js";
import { LOCAL_TABLES } from "../../packages/postgres/src/cluster/distribution.js";
import { PRIVILEGES } from "../../packages/postgres/src/rights/grants.js";
import { TABLE_NAMES, type TableName } from "../../packages/postgres/src/sql/tables.js";
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
    // An unescaped bracket would start a link.
    if (comment !== undefined) return comment.replaceAll("[", "\\[");
    throw new Error(`${subject} has no comment: add one in the migration that creates it.`);
  };
  const sections = TABLE_NAMES.map((name) => {
    const parts = tables[name];
    if (parts === undefined) throw new Error(`No migration creates the table ${name}.`);
    return tableSection(name, parts, about);
  });
  return page(
    "Database",
    "The tables that the migrations of `@tillkit/postgres` create. You may read them. Let only Tillkit write them: it keeps rows of several tables " +
      "consistent, and protects the events of a timeline with hashes.",
    "## How to read it",
    "A column that ends in `_ms` is an instant or a duration in milliseconds, instants counted from 1970-01-01 00:00 UTC; one that ends in `_cents` is money in cents. Null means that the value is " +
      'absent. Text with `collate "C"` is compared byte by byte, so the order is the same on every machine and case matters. The same comments are in the database:',
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
    "The **owner** runs `migrate` and owns every table. Hosts connect as the **application**. It may use the schema, and has the rights that are listed with each table. " +
      "`migrate` grants exactly these rights and revokes all others. `inspectSchema` reports every missing and every additional right.",
    "## Migrations",
    "`migrate` runs them in this order, in one transaction. There are no down migrations. A version of Tillkit that does not know a breaking migration refuses the schema.",
    table(
      ["Migration", "Breaking"],
      migrations.map(({ name, breaking }) => [code(name), breaking ? "yes" : "no"]),
    ),
    "## Tables",
    "A `?` after a type means that the column may be null. The index that ends in `_pkey` is the primary key. On a cluster, the distribution column decides which node stores a row, and every node has a copy of a reference table.",
    ...sections.flat(),
  );
}

function tableSection(
  name: TableName,
  { columns, indexes }: TableDefinition,
  about: (subject: string) => string,
): readonly string[] {
  return [
    `### ${name}`,
    about(name),
    `Distributed by: ${spreadBy(name)}. The application may: ${PRIVILEGES[name]}.`,
    table(
      ["Column", "Type", "Meaning"],
      Object.entries(columns).map(([column, definition]) => [
        code(column),
        definition.includes(" not null")
          ? code(definition.replace(" not null", ""))
          : `${code(definition)} ?`,
        about(`${name}.${column}`),
      ]),
    ),
    table(
      ["Index", "Definition", "Purpose"],
      Object.entries(indexes).map(([index, definition]) => [code(index), code(definition), about(index)]),
    ),
  ];
}

function spreadBy(name: TableName): string {
  if (LOCAL_TABLES.includes(name)) return "none: the table is on the coordinator only";
  const column = DISTRIBUTION_COLUMNS[name];
  return column === null ? "reference table" : code(column);
}
