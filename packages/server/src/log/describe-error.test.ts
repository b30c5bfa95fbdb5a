import pg from "pg";
import { describe, expect, it } from "vitest";
import { describeError } from "./describe-error.js";

function databaseError(fields: Partial<pg.DatabaseError>): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(fields.message ?? "", 0, "error"), fields);
}

describe("describeError", () => {
  it("keeps the table and the constraint of a duplicate key, and no value of the row", () => {
    const thrown = databaseError({
      message: "duplicate key value violates unique constraint",
      code: "23505",
      detail: "Key (customer_identity)=(user-77) already exists.",
      table: "orders",
      constraint: "orders_key",
    });
    const described = describeError(thrown);
    expect(described).toMatchObject({
      type: "error",
      code: "23505",
      table: "orders",
      constraint: "orders_key",
    });
    expect(JSON.stringify(described)).not.toMatch(/user-77|violates/);
  });

  it.each([
    [databaseError({ message: "canceling statement due to statement timeout", code: "57014" }), "57014"],
    [
      Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" }),
      "ECONNREFUSED",
    ],
  ])("keeps a message that quotes no data", (thrown, code) => {
    expect(describeError(thrown)).toMatchObject({ code, message: thrown.message });
  });

  it("keeps messages of the driver, whose errors have no code", () => {
    const { message } = describeError(new Error("Connection terminated unexpectedly"));
    expect(message).toBe("Connection terminated unexpectedly");
  });

  it("describes any other error by its type and location, not by its text", () => {
    const cause = new SyntaxError('Unexpected token, "13800138000" is not valid JSON');
    const described = describeError(new Error("code 482913 of 13800138000\n  refused", { cause }));
    expect(described).toMatchObject({ type: "Error", cause: { type: "SyntaxError" } });
    expect(described.at?.[0]).toMatch(/describe-error\.test\.ts/);
    expect(JSON.stringify(described)).not.toMatch(/13800138000|482913|refused/);
  });

  it("describes a thrown value that is no error by its type only", () => {
    expect(describeError("sk_secret")).toEqual({ type: "string" });
  });

  it("limits a chain of causes that refers to itself", () => {
    const thrown = new Error("a");
    thrown.cause = thrown;
    expect(describeError(thrown)).toMatchObject({ cause: { cause: { type: "Error" } } });
  });
});
