import { randomBytes, randomInt } from "node:crypto";
import { afterAll, expect, it } from "vitest";
import { hashText } from "./hash-text.js";
import { integers } from "../sql/row.js";
import { statement } from "../sql/statement.js";
import { serverClient } from "../testing/databases.js";

const sql = serverClient({ max: 1 });
afterAll(() => sql.close());

const HASHES = statement(
  "test_hashes",
  `select array_agg(hashtext(value) order by place)::text as hashes
   from jsonb_array_elements_text($1::jsonb) with ordinality as asked (value, place)`,
);

/** Returns the hashes of the server. */
async function serverHashes(values: readonly string[]): Promise<readonly number[]> {
  const [row] = await sql.query(HASHES, [JSON.stringify(values)]);
  if (row === undefined) throw new Error("The server returned no row.");
  return integers(row, "hashes");
}

/** Characters of one to four bytes in UTF-8. */
const CHARACTERS = ["a", "Z", "0", "-", "_", " ", "\u007f", "é", "ß", "€", "中", "文", "\uffff", "😀", "𝔸"];

function randomText(): string {
  const length = randomInt(0, 60);
  return Array.from({ length }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join("");
}

it("hashText equals the hash of the server for texts of every length up to 100 bytes", async () => {
  const values = Array.from({ length: 101 }, (_, length) => "abcdefghijk".repeat(10).slice(0, length));
  expect(values.map(hashText)).toEqual(await serverHashes(values));
});

it("hashText equals the hash of the server for random texts of one to four bytes per character", async () => {
  const values = Array.from({ length: 5_000 }, randomText);
  expect(values.map(hashText)).toEqual(await serverHashes(values));
});

it("hashText equals the hash of the server for ids and for long texts", async () => {
  const ids = Array.from({ length: 2_000 }, () => randomBytes(randomInt(1, 40)).toString("hex"));
  const values = [...ids, "中".repeat(40_000), "x".repeat(1_000_001)];
  expect(values.map(hashText)).toEqual(await serverHashes(values));
});
