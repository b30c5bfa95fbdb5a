import initSqlJs from "sql.js";

const SQL = await initSqlJs();

/**
 * Opens an empty SQLite database with the tables of the two stores.
 *
 * SQLite runs one statement at a time, so one statement is one atomic step.
 */
export function openDatabase() {
  const database = new SQL.Database();
  database.run(`
    create table quotas (
      scope text not null, subject text not null, day text not null, used integer not null,
      primary key (scope, subject, day)
    );
    create table spacings (
      scope text not null, subject text not null, granted_ms integer not null,
      primary key (scope, subject)
    );
    create table codes (
      app_id text not null, phone_hash text not null, state text not null, ends_ms integer not null,
      primary key (app_id, phone_hash)
    );`);
  return database;
}
