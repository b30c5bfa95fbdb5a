import { describe, expect, it } from "vitest";
import { EXPECTED_SCHEMA } from "../../packages/postgres/src/admin/expected-schema.js";
import { databasePage } from "./database-page.js";

const comments = new Map(
  Object.entries(EXPECTED_SCHEMA).flatMap(([table, { columns, indexes }]) =>
    [table, ...Object.keys(columns).map((column) => `${table}.${column}`), ...Object.keys(indexes)].map(
      (subject) => [subject, `About ${subject}.`] as const,
    ),
  ),
);
const migrations = [{ name: "0001-first-schema", breaking: false }];

describe("databasePage", () => {
  const page = databasePage({ tables: EXPECTED_SCHEMA, comments, migrations });

  it("says what every table, column and index is for", () => {
    for (const comment of comments.values()) expect(page).toContain(comment);
  });

  it("says of each table how it is distributed, what the application may do, and its primary key", () => {
    expect(page).toContain(
      "### timeline\n\nAbout timeline.\n\nDistributed by: `biz_no`. The application may: select, insert, update (reason), update (reason_salt).\n",
    );
    expect(page).toContain("Distributed by: reference table. The application may: select, insert, update.\n");
    for (const name of Object.keys(EXPECTED_SCHEMA)) expect(page).toContain(`| \`${name}_pkey\` | \`unique `);
  });

  it("says of each column its type, and whether it may be null", () => {
    expect(page).toContain("| `amount_cents` | `bigint` | About orders.amount_cents. |");
    expect(page).toContain('| `service_type_no` | `text collate "C"` ? | About orders.service_type_no. |');
    expect(page).toContain("| `applied_at` | `timestamp with time zone default now()` |");
  });

  it("refuses a part without a comment", () => {
    const silent = new Map([...comments].filter(([subject]) => subject !== "orders_due"));
    expect(() => databasePage({ tables: EXPECTED_SCHEMA, comments: silent, migrations })).toThrow(
      "orders_due has no comment",
    );
  });
});
