import { defaultPolicy } from "@tillkit/core";
import { ERROR_CATALOG } from "@tillkit/core/errors";
import type { Route } from "@tillkit/core/http";
import { z } from "zod";
import { withoutIntegerBounds } from "./json-schema.js";

/** One parameter of an endpoint, as its schema treats it under the default policy. */
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  /** The value if the parameter is not sent. */
  readonly default: string | number | undefined;
  readonly schema: JsonSchema;
  /** What the schema adds to the meaning of the parameter. */
  readonly description: string | undefined;
  /** Failures of a bad value, except `parameter.invalid` and `parameter.missing`. */
  readonly failures: readonly string[];
}

/** The part of JSON Schema that parameters need. */
export type JsonSchema = z.output<typeof jsonSchema>;

const jsonSchema = z.object({
  type: z.enum(["integer", "string"]),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
});
const described = z.object({ description: z.string().optional() });
const defaultValue = z.union([z.string(), z.number()]);
const object = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

/** Returns the parameters of a route, in the order of its schema. */
export function parametersOf(route: Pick<Route, "input">): readonly Parameter[] {
  const schema = route.input(defaultPolicy);
  if (!(schema instanceof z.ZodObject)) throw new Error("The input of a route is an object");
  const { properties, required } = object.parse(
    z.toJSONSchema(schema, { unrepresentable: "any", io: "input", override: withoutIntegerBounds }),
  );
  return Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => {
    return {
      name,
      required: required.includes(name),
      // JSON Schema cannot express the default of a converted input, such as a number in a query.
      default: defaultValue.safeParse(z.safeParse(field, undefined).data).data,
      schema: jsonSchema.parse(properties[name]),
      description: described.parse(properties[name]).description,
      failures: failuresOf(field),
    };
  });
}

/** Returns the failures of bad values: the messages of the schema's checks are catalog names. */
function failuresOf(field: z.core.$ZodType): readonly string[] {
  const bad = [-1, 0, 1.5, "\u0000", "?".repeat(100_000), {}];
  const messages = bad.flatMap(
    (value) => z.safeParse(field, value).error?.issues.map((issue) => issue.message) ?? [],
  );
  const general = ["parameter.missing", "parameter.invalid"];
  return [...new Set(messages)]
    .filter((name) => Object.hasOwn(ERROR_CATALOG, name) && !general.includes(name))
    .sort();
}
