import { defaultPolicy } from "@tillkit/core";
import { ERROR_CATALOG } from "@tillkit/core/errors";
import type { Route } from "@tillkit/core/http";
import { z } from "zod";

/** One parameter of an endpoint, as its schema treats it under the default policy. */
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  /** What it is when it is not sent. */
  readonly default: string | number | undefined;
  readonly schema: JsonSchema;
  /** Catalogue names of the failures a bad value causes beside `parameter.invalid` and `parameter.missing`. */
  readonly failures: readonly string[];
}

/** The part of JSON Schema that parameters need. */
export interface JsonSchema {
  readonly type: "integer" | "string";
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

type Field = z.core.$ZodType;

const described = z.object({ type: z.string().optional(), enum: z.array(z.string()).optional() });
const LARGE = 1_000_000_000_000;
const LONG = 100_000;

/** The parameters of a route, in the order of its schema. */
export function parametersOf(route: Pick<Route, "input">): readonly Parameter[] {
  const schema = route.input(defaultPolicy);
  if (!(schema instanceof z.ZodObject)) throw new Error("The input of a route is an object");
  return Object.entries<Field>(schema.shape).map(([name, field]) => {
    const absent = z.safeParse(field, undefined);
    const given = z.union([z.string(), z.number()]).safeParse(absent.data);
    return {
      name,
      required: !absent.success,
      default: given.data,
      schema: schemaOf(field),
      failures: failuresOf(field),
    };
  });
}

// Limits that a schema checks in code do not show in its JSON Schema, so they are found by asking it.
function schemaOf(field: Field): JsonSchema {
  const { type, enum: values } = described.parse(
    z.toJSONSchema(field, { unrepresentable: "any", io: "input" }),
  );
  if (values !== undefined) return { type: "string", enum: values };
  if (type === "integer" || accepts(field, 1)) {
    const maximum = greatest((number) => accepts(field, number), LARGE);
    return { type: "integer", minimum: 1, ...(maximum === LARGE ? {} : { maximum }) };
  }
  const maxLength = greatest((length) => fits(field, length), LONG);
  const minLength = accepts(field, "") ? {} : { minLength: 1 };
  return { type: "string", ...minLength, ...(maxLength === LONG ? {} : { maxLength }) };
}

function failuresOf(field: Field): readonly string[] {
  const bad = [-1, 0, 1.5, "\u0000", "?".repeat(LONG), {}];
  const messages = bad.flatMap(
    (value) => z.safeParse(field, value).error?.issues.map((issue) => issue.message) ?? [],
  );
  const general = ["parameter.missing", "parameter.invalid"];
  return [...new Set(messages)]
    .filter((name) => Object.hasOwn(ERROR_CATALOG, name) && !general.includes(name))
    .sort();
}

function accepts(field: Field, value: unknown): boolean {
  return z.safeParse(field, value).success;
}

// A text of digits also passes where only certain texts do, so only complaints about the length count.
function fits(field: Field, length: number): boolean {
  const complaints = z.safeParse(field, "1".repeat(length)).error?.issues.map((issue) => issue.message) ?? [];
  return !complaints.some((complaint) => complaint === "length" || complaint.endsWith(".too-large"));
}

/** The greatest number from 1 to `limit` that passes, where all smaller ones pass too. */
function greatest(passes: (number: number) => boolean, limit: number): number {
  let [low, high] = [1, limit];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (passes(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
