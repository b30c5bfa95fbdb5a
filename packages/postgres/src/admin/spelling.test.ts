import { expectOk } from "@tillkit/contract-tests";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspectSchema } from "./inspect-schema.js";
import { migrate } from "./migrate.js";
import type { SchemaFinding } from "../rights/schema-finding.js";
import type { SqlClient, SqlQueries } from "../sql/sql-client.js";
import { quoted } from "../sql/tables.js";
import { embeddedClient, freshSchema, serverClient } from "../testing/databases.js";

const databases = [
  ["PGlite", embeddedClient],
  ["PostgreSQL", async () => serverClient({ max: 1 })],
] as const;

const index = (name: string, definition: string) =>
  `drop index ${name}; create index ${name} on ${definition};`;
const outcomes = (condition: string) =>
  index("audit_log_by_outcome", `audit_log (outcome, at_ms, seq) where ${condition}`);
const states = (condition: string) =>
  index(
    "bill_exceptions_by_day",
    `bill_exceptions (day, pay_channel, app_env, account_id, state) where ${condition}`,
  );
const delivered = (condition: string) =>
  index("event_deliveries_delivered", `event_deliveries (last_ms) where ${condition}`);
const alarms = (condition: string) =>
  index("timeline_alarms", `timeline (at_ms, biz_no, app_id, seq) where ${condition}`);
const paid = (part: string) => index("orders_paid", `orders (${part}, paid_ms) where paid_ms is not null`);
const check = (condition: string) =>
  `alter table downloads drop constraint downloads_new_count;
   alter table downloads add constraint downloads_new_count check (${condition});`;
const appliedAt = (value: string) => `alter table schema_migrations alter applied_at set default ${value};`;

/** Changes after which the server stores the same definitions as after the migrations. */
const SAME = {
  "an index with quotes, directions and white space": `drop index audit_log_by_outcome;
    create index "audit_log_by_outcome" on "audit_log"
    using btree ( "outcome" asc nulls last ,  at_ms, seq ) where ( ( "outcome" != 'done' ) );`,
  "a condition without casts": outcomes("outcome <> 'done'"),
  "a qualified operator": outcomes("outcome operator(pg_catalog.<>) 'done'::pg_catalog.text"),
  "a list with in": states("state in ('OPEN', 'RESOLVED')"),
  "a qualified function with a cast": `drop index operators_by_name_key;
    create unique index operators_by_name_key on operators (pg_catalog.lower(("name")::text));`,
  "a function without quotes": paid("right(pay_tool_id, 4)"),
  "default operator classes": index(
    "timeline_alarms",
    "timeline (at_ms int8_ops, biz_no text_ops, app_id, seq) where (alarm)",
  ),
  "a check with between": check("new_downloads between 0 and 9007199254740991"),
  "a check without parentheses": check("new_downloads>=0 and new_downloads<=9007199254740991"),
  "a primary key with quotes": `alter table sessions drop constraint sessions_pkey;
    alter table sessions add constraint "sessions_pkey" primary key ("customer_id","app_id", "token_hash");`,
  "a default of a boolean in quotes": "alter table apps alter check_biz_no set default 't';",
  "a default without a cast": "alter table operators alter grants set default '[]';",
  "a default with an escape": "alter table operators alter grants set default (E'[]'::pg_catalog.text);",
  "a default with a qualified function": appliedAt("pg_catalog.now()"),
  "a type by its other name": "alter table orders alter amount_cents type pg_catalog.int8;",
  "other comments": "comment on table orders is 'Other  words.'; comment on index orders_due is null;",
} as const;

/** Changes with the same meaning, although the server stores other definitions. */
const OTHERWISE_STORED = {
  "a cast": outcomes("outcome <> 'done'::character varying"),
  "the default collation": outcomes(`outcome <> ('done' collate "default")`),
  "a list as one text": states("state = any ('{OPEN,RESOLVED}')"),
  "a list of casts": states("state = any (array['OPEN'::varchar, 'RESOLVED'::varchar]::text[])"),
  "a list with or": states("state = 'OPEN' or state = 'RESOLVED'"),
  "another order": delivered("parked_ms is null and due_ms is null"),
  "a negation": delivered("not (due_ms is not null) and parked_ms is null"),
  "a comparison with true": alarms("alarm = true"),
  "is true": alarms("alarm is true"),
  "a cast of an argument": paid("right(pay_tool_id, 4::bigint::int)"),
  "a check with a cast": check("new_downloads >= 0::bigint and new_downloads <= 9007199254740991"),
  "a check with turned sides": check("0 <= new_downloads and 9007199254740991 >= new_downloads"),
  "a default of another function": appliedAt("current_timestamp"),
  "a default with a cast": "alter table operators alter grants set default '[]'::character varying;",
  "a default that is computed": "alter table apps alter check_biz_no set default (not false);",
} as const;

const DESTRUCTIVE = /\b(?:drop|delete|update|truncate|cascade|alter column|type|set default)\b/i;

describe.each(databases)("the spelling of a definition: %s", (_, open) => {
  const schema = freshSchema();
  let sql: SqlClient;
  beforeAll(async () => {
    sql = await open();
    await expectOk(migrate({ sql, schema }));
  });
  afterAll(async () => {
    await sql.script(`drop schema ${quoted(schema)} cascade`);
    await sql.close();
  });

  /** Runs `change` and `work`, and then rolls both back. */
  const during = async (change: string, work: (sql: SqlQueries) => Promise<void>): Promise<void> => {
    const undone = new Error("undone");
    const changed = sql.transaction(async (transaction) => {
      await transaction.script(`set local search_path to ${quoted(schema)}; ${change}`);
      await work(transaction);
      throw undone;
    });
    await expect(changed).rejects.toBe(undone);
  };
  const findingsIn = (one: SqlQueries): Promise<readonly SchemaFinding[]> =>
    expectOk(inspectSchema(one, schema));

  it.each(Object.entries(SAME))("is no difference: %s", async (_name, change) => {
    await during(change, async (one) => expect(await findingsIn(one)).toEqual([]));
  });

  it.each(Object.entries(OTHERWISE_STORED))("has a remedy that loses nothing: %s", async (_name, change) => {
    await during(change, async (one) => {
      const found = await findingsIn(one);
      expect(found.map(({ kind }) => kind)).toEqual([expect.stringMatching(/^changed-/)]);
      for (const { fix } of found) expect(fix).not.toMatch(DESTRUCTIVE);
    });
  });

  it.each([
    ["index", OTHERWISE_STORED["a cast"], "audit_log_by_outcome"],
    ["constraint", OTHERWISE_STORED["a check with a cast"], "downloads_new_count"],
  ] as const)("keeps the previous %s beside the expected %s", async (part, change, name) => {
    await during(change, async (one) => {
      const [finding] = await findingsIn(one);
      // An index cannot be created concurrently in a transaction.
      await one.script(finding?.fix.replace(" concurrently", "") ?? "");
      const left = await findingsIn(one);
      expect(left.map(({ kind, subject }) => [kind, subject])).toEqual([
        [`unknown-${part}`, `${name}_before`],
      ]);
    });
  });

  it("replaces another primary key in one statement", async () => {
    const change = `alter table sessions drop constraint sessions_pkey;
      alter table sessions add constraint sessions_pkey primary key (token_hash, app_id, customer_id);`;
    await during(change, async (one) => {
      const [finding] = await findingsIn(one);
      expect(finding?.fix.match(/;/g)).toHaveLength(1);
      await one.script(finding?.fix ?? "");
      expect(await findingsIn(one)).toEqual([]);
    });
  });
});
