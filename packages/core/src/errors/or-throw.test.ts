import { err, errAsync, ok, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { ERROR_CATALOG } from "./catalog.js";
import { fail } from "./failure.js";
import { orThrow } from "./or-throw.js";

describe("orThrow", () => {
  it("returns the value of a result, also if a promise has the result", async () => {
    expect(orThrow(ok(1))).toBe(1);
    await expect(orThrow(okAsync(2))).resolves.toBe(2);
    await expect(orThrow(Promise.resolve(ok(3)))).resolves.toBe(3);
  });

  it("throws the name, the message and the advice of a failure of the catalog", () => {
    const result = fail("parameter.invalid", { parameter: "goodsTitle", rule: "length" });
    const { advice } = ERROR_CATALOG["parameter.invalid"];
    expect(() => orThrow(result)).toThrow(
      new Error(`parameter.invalid: Parameter goodsTitle is longer than allowed. ${advice}`, {
        cause: result.error,
      }),
    );
  });

  it("rejects with the failure as cause", async () => {
    const failure = { name: "order.not-found" } as const;
    const thrown = orThrow(errAsync(failure));
    await expect(thrown).rejects.toThrow(/^order\.not-found: /);
    await expect(thrown).rejects.toMatchObject({ cause: failure });
  });

  it("throws the remedy of a storage failure, and not the text of the driver", () => {
    const result = fail("storage.misconfigured", {
      cause: new Error("password=secret"),
      remedy: "Run `tillkit migrate`.",
    });
    expect(() => orThrow(result)).toThrow(
      new Error(
        `storage.misconfigured: ${ERROR_CATALOG["storage.misconfigured"].message.en}. Run \`tillkit migrate\`.`,
        { cause: result.error },
      ),
    );
  });

  it.each([
    [
      { name: "keyring.missing", message: "keys.json does not exist." },
      "keyring.missing: keys.json does not exist.",
    ],
    [{ name: "app.exists", appId: "10086" }, "app.exists"],
    [{ message: "The order is closed." }, "The order is closed."],
    ["PORT is not a number", "PORT is not a number"],
    [
      [{ name: "key.missing", message: "Paste the key." }, "no account"],
      "key.missing: Paste the key.; no account",
    ],
    [{ secret: "abc" }, "failed"],
  ])("throws the texts of a failure outside the catalog", (failure, text) => {
    expect(() => orThrow(err(failure))).toThrow(new Error(text, { cause: failure }));
  });
});
