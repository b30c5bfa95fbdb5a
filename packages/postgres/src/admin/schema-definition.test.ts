import { expectOk } from "@tillkit/contract-tests";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DISTRIBUTION_COLUMNS } from "../cluster/distribution.js";
import { EXPECTED_SCHEMA } from "./expected-schema.js";
import { migrate } from "./migrate.js";
import { text } from "../sql/row.js";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { freshSchema, serverClient } from "../testing/databases.js";
import { readComments } from "../testing/read-comments.js";

const schema = freshSchema();
let sql: SqlClient;
beforeAll(async () => {
  sql = serverClient({ max: 1 });
  await expectOk(migrate({ sql, schema }));
});
afterAll(async () => {
  await sql.script(`drop schema "${schema.replaceAll('"', '""')}" cascade`);
  await sql.close();
});

const rowsOf = (name: string, query: string) => sql.query(statement(name, query), [schema]);

describe("the schema", () => {
  it("has exactly the tables with a defined distribution", async () => {
    const rows = await rowsOf(
      "test_tables",
      "select tablename::text from pg_tables where schemaname = $1 order by tablename",
    );
    expect(rows.map((row) => text(row, "tablename"))).toEqual(Object.keys(DISTRIBUTION_COLUMNS).toSorted());
  });

  it("has the distribution column in every primary key and every unique index", async () => {
    const rows = await rowsOf(
      "test_unique_indexes",
      `select t.relname::text as table_name, i.relname::text as index_name,
         -- An index of an expression has no columns.
         coalesce((select string_agg(a.attname::text, ' ') from pg_attribute a
          where a.attrelid = t.oid and a.attnum = any (x.indkey)), '') as columns
       from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
       join pg_namespace n on n.oid = t.relnamespace
       where x.indisunique and n.nspname = $1`,
    );
    const indexes = rows.map((row) => ({
      table: text(row, "table_name"),
      index: text(row, "index_name"),
      columns: text(row, "columns").split(" "),
    }));
    const spread = Object.entries(DISTRIBUTION_COLUMNS).filter(([, column]) => column !== null);
    for (const [table, column] of spread) {
      const unique = indexes.filter((one) => one.table === table);
      expect(unique.length, table).toBeGreaterThan(0);
      for (const { index, columns } of unique) expect(columns, index).toContain(column);
    }
  });

  it("has a comment on every table, column and index", async () => {
    const subjects = Object.entries(EXPECTED_SCHEMA).flatMap(([table, { columns, indexes }]) => [
      table,
      ...Object.keys(columns).map((column) => `${table}.${column}`),
      ...Object.keys(indexes),
    ]);
    const comments = await readComments(sql, schema);
    expect([...comments.keys()].toSorted()).toEqual(subjects.toSorted());
    for (const [subject, comment] of comments) expect(comment, subject).toMatch(/^[A-Z0-9].*\.$/);
  });

  it("has no foreign key", async () => {
    const rows = await rowsOf(
      "test_foreign_keys",
      `select c.conname::text from pg_constraint c join pg_namespace n on n.oid = c.connamespace
       where c.contype = 'f' and n.nspname = $1`,
    );
    expect(rows).toEqual([]);
  });
});
