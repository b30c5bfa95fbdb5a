import { ResultAsync } from "neverthrow";

/**
 * Runs `work` in one transaction. Whatever the database throws becomes `storage.unavailable`.
 */
export function attempt(database, work) {
  const run = async () => {
    database.run("begin immediate");
    try {
      const value = work();
      database.run("commit");
      return value;
    } catch (cause) {
      database.run("rollback");
      throw cause;
    }
  };
  return ResultAsync.fromPromise(run(), (cause) => ({ name: "storage.unavailable", cause }));
}

/** Returns the first row of a query as an object, or `undefined`. */
export function firstRow(database, sql, values) {
  const statement = database.prepare(sql, values);
  const row = statement.step() ? statement.getAsObject() : undefined;
  statement.free();
  return row;
}

/** Returns the rows of a query as objects. */
export function allRows(database, sql, values) {
  const rows = [];
  const statement = database.prepare(sql, values);
  while (statement.step()) rows.push(statement.getAsObject());
  statement.free();
  return rows;
}

/** Runs a statement and returns how many rows it changed. */
export function change(database, sql, values) {
  database.run(sql, values);
  return database.getRowsModified();
}
