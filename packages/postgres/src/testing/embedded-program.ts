// Opens the database of a folder and counts forever. Commits each number, and prints it after the
// commit.
import { openEmbedded } from "../pglite.js";

const [folder = ""] = process.argv.slice(2);
const opened = await openEmbedded(folder);
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
