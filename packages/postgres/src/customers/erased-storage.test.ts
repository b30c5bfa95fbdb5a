import { readFile } from "node:fs/promises";
import { expectOk } from "@tillkit/contract-tests";
import { eraseCustomer, exportCustomer } from "@tillkit/core/operators";
import { memoryPorts, memoryState, memoryStores } from "@tillkit/memory";
import { expect, it } from "vitest";
import { postgresStores } from "../stores/postgres-stores.js";
import { text } from "../sql/row.js";
import type { SqlClient } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import { quoted } from "../sql/tables.js";
import { embeddedClient, KEY, serverSchema } from "../testing/databases.js";
import { aMarkedCustomer, MARKS } from "../testing/marked-customer.js";

const BY = { operator: "kim", reason: "request 42", from: "cli", traceId: "" };
/** The table that proves who did what. An erasure does not change it. */
const AUDIT_LOG = "audit_log";

/** The page that says, for each column, whether an erasure removes the value. */
const page = await readFile(new URL("../../../../docs/internals/personal-data.md", import.meta.url), "utf8");
const REMOVED = [...page.matchAll(/^\| `(\w+\.\w+)`(?:[^|]*\|){3} removed/gm)].map(([, name = ""]) => name);

/** The values of a database, by `table.column`. */
type Dump = ReadonlyMap<string, readonly string[]>;

/** Reads every column of every table of the schema, as the database lists them. */
async function dumpOf(sql: SqlClient, schema: string): Promise<Dump> {
  const listed = statement(
    "test_columns",
    `select c.table_name::text as table_name, c.column_name::text as column_name
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = $1 and t.table_type = 'BASE TABLE'`,
  );
  const dump = new Map<string, readonly string[]>();
  for (const row of await sql.query(listed, [schema])) {
    const [table, column] = [text(row, "table_name"), text(row, "column_name")];
    const values = statement(
      "test_values",
      `select ${quoted(column)}::text as value from ${quoted(schema)}.${quoted(table)}
       where ${quoted(column)} is not null and ${quoted(column)}::text <> ''`,
    );
    dump.set(
      `${table}.${column}`,
      (await sql.query(values, [])).map((one) => text(one, "value")),
    );
  }
  return dump;
}

/** The columns, outside the audit log, that contain `mark` as text or as bytes. */
function columnsWith(dump: Dump, mark: string): readonly string[] {
  const bytes = Buffer.from(mark).toString("hex");
  return [...dump]
    .filter(([column]) => !column.startsWith(`${AUDIT_LOG}.`))
    .filter(([, values]) => values.some((value) => value.includes(mark) || value.includes(bytes)))
    .map(([column]) => column);
}

it("an export contains every text of a customer, and an erasure leaves none in any column of PGlite", async () => {
  const { sql, schema } = await serverSchema(await embeddedClient());
  const ports = { ...memoryPorts(), ...postgresStores({ sql, schema, credentialKeys: [KEY] }) };
  const { appId, mobileNo, hashes } = await aMarkedCustomer(ports);
  const marks = [...Object.values(MARKS), ...hashes];
  const before = await dumpOf(sql, schema);
  // Without this check, the test would also pass if no column contained the text before the
  // erasure.
  for (const mark of marks) expect(columnsWith(before, mark), mark).not.toEqual([]);
  const exported = JSON.stringify(await expectOk(exportCustomer(ports, appId, { mobileNo })));
  for (const mark of Object.values(MARKS)) expect(exported).toContain(mark);
  // The export contains no hash, and no name of an operator.
  for (const absent of [...hashes, '"li"', '"han"', 'li\\"', 'han\\"', "operator:"])
    expect(exported).not.toContain(absent);
  const erased = await expectOk(eraseCustomer(ports, appId, { mobileNo }, BY));
  expect(erased).toMatchObject({ orders: 2, notes: 2, inFlight: [] });
  const after = await dumpOf(sql, schema);
  for (const mark of marks) expect(columnsWith(after, mark), mark).toEqual([]);
  expect(REMOVED.length).toBeGreaterThan(15);
  for (const column of REMOVED) {
    const values = before.get(column) ?? [];
    expect(values, column).not.toEqual([]);
    // A counter may belong to the app instead of the customer.
    const marked = values.filter((value) => marks.some((mark) => value.includes(mark)));
    const gone = marked.length > 0 ? marked : values;
    expect(
      gone.filter((value) => after.get(column)?.includes(value)),
      column,
    ).toEqual([]);
  }
});

it("an erasure leaves no text of the customer in the memory storage", async () => {
  const state = memoryState();
  const ports = { ...memoryPorts(), ...memoryStores(state) };
  const { appId, mobileNo, hashes } = await aMarkedCustomer(ports);
  const marks = [...Object.values(MARKS), ...hashes];
  const whole = () => {
    const { auditLog: _never, ...erasable } = state;
    return JSON.stringify(erasable, (_name, value: unknown) =>
      value instanceof Map || value instanceof Set ? [...value] : value,
    );
  };
  const before = whole();
  for (const mark of marks) expect(before).toContain(mark);
  await expectOk(eraseCustomer(ports, appId, { mobileNo }, BY));
  const after = whole();
  for (const mark of marks) expect(after).not.toContain(mark);
});
