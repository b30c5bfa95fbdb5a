import { defaultPolicy } from "@tillkit/core";
import { paymentsRoutes } from "@tillkit/core/http";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parametersOf } from "./parameters.js";

const parameters = paymentsRoutes.flatMap((route) => {
  const schema = route.input(defaultPolicy);
  if (!(schema instanceof z.ZodObject)) throw new Error("The input of a route is an object");
  const fields: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  return parametersOf(route).map(({ name, schema: documented }) => {
    const field = fields[name];
    if (field === undefined) throw new Error(`${route.path} has no ${name}`);
    return { path: route.path, name, documented, field };
  });
});
const texts = parameters.flatMap(({ documented, ...one }) =>
  documented.maxLength === undefined ? [] : [{ ...one, maxLength: documented.maxLength }],
);
const numbers = parameters.filter(({ documented }) => documented.type === "integer");

/** Returns the messages of the checks that a value fails. */
function complaintsOf(field: z.core.$ZodType, value: unknown): readonly string[] {
  return z.safeParse(field, value).error?.issues.map(({ message }) => message) ?? [];
}

describe("the documented limits of parameters", () => {
  it("exist for every text whose length is checked", () => {
    const limited = parameters.filter(({ field }) =>
      complaintsOf(field, "1".repeat(1_000_000)).some((one) => /^length$|\.too-large$/.test(one)),
    );
    expect(limited.length).toBeGreaterThan(0);
    expect(limited.map(({ path, name }) => [path, name])).toEqual(
      texts.map(({ path, name }) => [path, name]),
    );
  });

  it.each(texts)("are the ones that the schema checks: $name of $path", ({ field, maxLength }) => {
    const tooLong = /^length$|\.too-large$/;
    for (const complaint of complaintsOf(field, "1".repeat(maxLength)))
      expect(complaint).not.toMatch(tooLong);
    expect(complaintsOf(field, "1".repeat(maxLength + 1))).toContainEqual(expect.stringMatching(tooLong));
  });

  it.each(numbers)(
    "are the ones that the schema checks: $name of $path, a number",
    ({ documented, field }) => {
      const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = documented;
      for (const value of [minimum, maximum]) expect(complaintsOf(field, value)).toEqual([]);
      for (const value of [minimum - 1, maximum + 1]) expect(complaintsOf(field, value)).not.toEqual([]);
    },
  );
});
