import { describe, expect, it } from "vitest";
import { MIGRATIONS } from "./migrations.js";
import { firstWords, splitStatements } from "./split-statements.js";

describe("splitStatements", () => {
  it.each([
    ["nothing", "", []],
    ["only comments", " -- one; two\n/* three; */ ;; \n", []],
    ["statements with and without a final semicolon", "select 1;\nselect 2", ["select 1", "select 2"]],
    ["a text", "select ';', 'it''s; fine'; select 2", ["select ';', 'it''s; fine'", "select 2"]],
    [
      "a text that ends with a backslash",
      String.raw`select 'a\'; select 2`,
      [String.raw`select 'a\'`, "select 2"],
    ],
    [
      "a text with escapes",
      String.raw`select E'a\'; b', e'c\\'; select '\'; select 3`,
      [String.raw`select E'a\'; b', e'c\\'`, String.raw`select '\'`, "select 3"],
    ],
    [
      "a text with escapes and a doubled quote",
      String.raw`select E'a'';\';b'; select 2`,
      [String.raw`select E'a'';\';b'`, "select 2"],
    ],
    ["a word that ends with E", "select type'a'; select 2", ["select type'a'", "select 2"]],
    ["a name", 'select 1 as "a;""b;"; select 2', ['select 1 as "a;""b;"', "select 2"]],
    ["a dollar quote", "do $$ begin; end $$; select 2", ["do $$ begin; end $$", "select 2"]],
    ["a tagged dollar quote", "do $a1$ $$;'$a$; $a1$; select 2", ["do $a1$ $$;'$a$; $a1$", "select 2"]],
    ["a dollar sign in a name", "select a$b$; select c$b$", ["select a$b$", "select c$b$"]],
    ["placeholders", "select $1; select $1", ["select $1", "select $1"]],
    ["a line comment", "select 1 -- it's; \n + 1; select 2", ["select 1 -- it's; \n + 1", "select 2"]],
    [
      "a nested block comment",
      "select /* a; /* ' ; */ b; */ 1; select 2",
      ["select /* a; /* ' ; */ b; */ 1", "select 2"],
    ],
    ["an operator like a comment", "select 4 / 2 - -1 * 3; select 2", ["select 4 / 2 - -1 * 3", "select 2"]],
    [
      "parentheses",
      "create rule r as on insert to t do (select 1; select 2); select 3",
      ["create rule r as on insert to t do (select 1; select 2)", "select 3"],
    ],
    [
      "the body of a function",
      "create or replace function f() returns int begin atomic select case 1 when 1 then 2 end; select 3; end; select 4",
      [
        "create or replace function f() returns int begin atomic select case 1 when 1 then 2 end; select 3; end",
        "select 4",
      ],
    ],
    ["a transaction", "begin; select 1; end; select 2", ["begin", "select 1", "end", "select 2"]],
    ["an unterminated text", "select 1; select 'a; b", ["select 1", "select 'a; b"]],
    ["an unterminated comment", "select 1; select /* a; b", ["select 1", "select /* a; b"]],
    ["an unterminated dollar quote", "select 1; do $$ a; b", ["select 1", "do $$ a; b"]],
    ["letters that are not ASCII", "select 价格$x$; select '；';", ["select 价格$x$", "select '；'"]],
  ])("reads %s", (_name, sql, statements) => {
    expect(splitStatements(sql)).toEqual(statements);
  });

  it("keeps every character of the migrations between their statements", () => {
    for (const { name, sql } of MIGRATIONS) {
      const statements = splitStatements(sql);
      expect(`${statements.join(";")};`.replace(/\s/g, ""), name).toBe(sql.replace(/\s/g, ""));
      // Each line of the migrations that begins in the first column begins a statement or comment.
      const begun = sql.match(/^(create|alter|comment|update|insert|delete|drop|do|grant)\b/gm) ?? [];
      expect(statements.length, name).toBe(begun.length);
    }
  });
});

describe("firstWords", () => {
  it("returns one short line without comments", () => {
    expect(firstWords("-- why\nalter /* x */ table a\n  add b int")).toBe("alter table a add b int");
    const long = firstWords(`comment on table orders is '${"x".repeat(100)}'`);
    expect(long).toMatch(/^comment on table orders is 'x+…$/);
    expect(long.length).toBeLessThan(70);
  });
});
