import { expect, it } from "vitest";
import { insertedOrExisting } from "./insert-once.js";
import type { SqlQueries, SqlRow } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";

const insert = { statement: statement("test_insert", "select 1"), values: [] };
const find = { statement: statement("test_find", "select 2"), values: [] };

/** Answers the queries in turn, and then with no rows. */
function answering(...answers: readonly (readonly SqlRow[])[]) {
  const asked: string[] = [];
  const sql: SqlQueries = {
    script: async () => undefined,
    query: async ({ name }) => {
      asked.push(name.replace(/_[0-9a-f]{16}$/, ""));
      return answers[asked.length - 1] ?? [];
    },
  };
  return { sql, asked };
}

it("insertedOrExisting inserts the row again if another call removed it before it was found", async () => {
  const { sql, asked } = answering([], [], [{ id: 1 }]);
  expect(await insertedOrExisting(sql, insert, find)).toEqual({ id: 1 });
  expect(asked).toEqual(["test_insert", "test_find", "test_insert"]);
});

it("insertedOrExisting finds the row that another call inserted meanwhile", async () => {
  const { sql, asked } = answering([], [{ id: 2 }]);
  expect(await insertedOrExisting(sql, insert, find)).toEqual({ id: 2 });
  expect(asked).toEqual(["test_insert", "test_find"]);
});

it("insertedOrExisting fails after ten attempts", async () => {
  const { sql, asked } = answering();
  await expect(insertedOrExisting(sql, insert, find)).rejects.toThrow("neither stored nor found");
  expect(asked).toHaveLength(20);
});
