// Opens the database of a folder, and counts forever. Creates a new database from a snapshot if one
// is given. Commits each number, and prints it after the commit.
import { openEmbedded } from "../pglite.js";

const [folder = "", snapshot] = process.argv.slice(2);
const sql = await openEmbedded(folder, snapshot === undefined ? {} : { snapshot });
if (sql.isErr()) {
  process.stdout.write(`${sql.error.message}\n`);
  process.exit(1);
}
await sql.value.script("create table if not exists numbers (n integer primary key)");
process.stdout.write("open\n");
for (let n = 1; ; n += 1) {
  await sql.value.query({ name: "count", text: "insert into numbers values ($1)" }, [n]);
  process.stdout.write(`${String(n)}\n`);
}
