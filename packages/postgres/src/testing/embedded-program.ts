// Opens the database of a folder, and counts forever. Creates a new database from a snapshot if one
// is given. Commits each number, and prints it after the commit.
import { openEmbedded } from "../pglite.js";

const [folder = "", snapshot] = process.argv.slice(2);
const opened = await openEmbedded(folder, snapshot === undefined ? {} : { snapshot });
if (opened.isErr()) {
  process.stdout.write(`${opened.error.message}\n`);
  process.exit(1);
}
const sql = opened.value;
await sql.script("create table if not exists numbers (n integer primary key)");
process.stdout.write("open\n");
for (let n = 1; ; n += 1) {
  await sql.query({ name: "count", text: "insert into numbers values ($1)" }, [n]);
  process.stdout.write(`${String(n)}\n`);
}
