import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { EXPECTED_SCHEMA } from "./expected-schema.js";

const page = await readFile(new URL("../../../docs/internals/personal-data.md", import.meta.url), "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("|"));

/** The columns that the page describes one by one. */
const personal = rows.flatMap((row) => /^\| `(\w+\.\w+)` /.exec(row)?.[1] ?? []);
/** The columns that the page lists by table. */
const others = rows.flatMap((row) => {
  const [, table, columns = ""] = /^\| `(\w+)` +\|(.*)\|$/.exec(row) ?? [];
  if (table === undefined) return [];
  return [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => `${table}.${column}`);
});

it("says of each column of the schema, once, whether it may be personal", () => {
  const columns = Object.entries(EXPECTED_SCHEMA).flatMap(([table, { columns: of }]) =>
    Object.keys(of).map((column) => `${table}.${column}`),
  );
  expect([...personal, ...others].toSorted()).toEqual(columns.toSorted());
});

it("says of each personal column what an export and an erasure do", () => {
  for (const row of rows.filter((one) => /^\| `\w+\.\w+` /.test(one)))
    expect(row.split("|").filter((cell) => cell.trim() !== "")).toHaveLength(5);
  expect(personal).toEqual(
    expect.arrayContaining(["orders.customer_name", "orders.attach_data", "customers.phone_hash"]),
  );
});
