import { describe, expect, it } from "vitest";
import { openHandlerSession } from "./handler-sql.js";

function fixture() {
  const texts: string[] = [];
  const session = openHandlerSession({
    query: async ({ text }) => {
      texts.push(text);
      if (text === "select 1 / 0") throw new Error("division by zero");
      return [];
    },
  });
  return { session, texts };
}

describe("openHandlerSession", () => {
  it.each([
    "commit",
    " COMMIT;",
    "end",
    "rollback",
    "Rollback work",
    "abort",
    "begin",
    "start transaction",
    "prepare transaction 'x'",
    "commit prepared 'x'",
    "rollback prepared 'x'",
  ])("refuses %j, which would separate the effect from the delivery", async (text) => {
    const { session, texts } = fixture();
    await expect(session.sql.query(text)).rejects.toThrow("A handler cannot begin or end");
    expect(texts).toEqual([]);
  });

  it.each([
    "rollback to before_try",
    "ROLLBACK TRANSACTION to savepoint a",
    "release savepoint a",
    "select commits from ends",
    "insert into beginnings values ($1)",
    "prepare x as select 1",
  ])("runs %j", async (text) => {
    const { session, texts } = fixture();
    await session.sql.query(text);
    expect(texts).toEqual([text]);
  });

  it("remembers the errors of statements", async () => {
    const { session } = fixture();
    await session.sql.query("select 1 / 0").catch(() => undefined);
    expect(session.errors).toEqual([new Error("division by zero")]);
  });

  it("runs no statement after its end", async () => {
    const { session, texts } = fixture();
    session.end();
    await expect(session.sql.query("select 1")).rejects.toThrow("The attempt has ended");
    expect(texts).toEqual([]);
  });
});
