import { describe, expect, it } from "vitest";
import { EXPECTED_SCHEMA } from "../../packages/postgres/src/expected-schema.js";
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

  it("says of each table what it is found by, spread by and open for", () => {
    expect(page).toContain(
      "### timeline\n\nAbout timeline.\n\n- Primary key: `biz_no, app_id, seq`\n- Distribution column: `biz_no`\n- The application may: select, insert, update (reason), update (reason_salt)\n",
    );
    expect(page).toContain(
      "- Distribution column: reference table\n- The application may: select, insert, update\n",
    );
  });

  it("says of each column its type, and whether it may be null", () => {
    expect(page).toContain("| `amount_cents` | `bigint` | no | About orders.amount_cents. |");
    expect(page).toContain(
      '| `service_type_no` | `text collate "C"` | yes | About orders.service_type_no. |',
    );
    expect(page).toContain("| `applied_at` | `timestamp with time zone default now()` | no |");
  });

  it("refuses a part without a comment", () => {
    const silent = new Map([...comments].filter(([subject]) => subject !== "orders_due"));
    expect(() => databasePage({ tables: EXPECTED_SCHEMA, comments: silent, migrations })).toThrow(
      "orders_due has no comment",
    );
  });
});
