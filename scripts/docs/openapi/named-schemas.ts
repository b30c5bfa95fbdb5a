import { z } from "zod";
import { withoutIntegerBounds } from "../json-schema.js";

/** A reference to a component of the document. */
export interface Reference {
  readonly $ref: string;
}

/** The component schemas of a document, collected while its operations are described. */
export interface NamedSchemas {
  /** Adds a schema with all named schemas that it contains, and returns its reference. */
  add(schema: z.ZodType): Reference;
  /** Adds a schema under its own name or else under `name`, and returns its reference. */
  addAs(name: string, schema: z.ZodType): Reference;
  /** Returns a schema as it is, and adds the named schemas that it contains. */
  inline(schema: z.ZodType, io: "input" | "output"): object;
  /** Adds a schema that has no zod schema. Throws if the name has another schema. */
  define(name: string, schema: object): Reference;
  /** Returns all schemas, ordered by name. */
  all(): Readonly<Record<string, object>>;
}

const unnamed = z.looseObject({ $defs: z.record(z.string(), z.looseObject({})).default({}) });
const reference = z.object({ $ref: z.string().startsWith("#/components/schemas/") });

/** Creates an empty collection of component schemas. */
export function namedSchemas(): NamedSchemas {
  const known = new Map<string, object>();
  const define = (name: string, schema: object): Reference => {
    const existing = known.get(name);
    if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(schema))
      throw new Error(`Two different schemas are named ${name}`);
    known.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  };
  const inline = (schema: z.ZodType, io: "input" | "output"): object => {
    const { $schema: _, ...json } = z.toJSONSchema(schema, {
      ...({ unrepresentable: "any", io } as const),
      override: withoutIntegerBounds,
    });
    const { $defs, ...rest } = unnamed.parse(json);
    for (const [name, part] of Object.entries($defs)) define(name, withComponentReferences(part));
    return withComponentReferences(rest);
  };
  return {
    define,
    inline,
    addAs: (name, schema) => {
      const converting = inline(schema, "output");
      const { success, data } = reference.safeParse(converting);
      return success ? data : define(name, converting);
    },
    add: (schema) => reference.parse(inline(schema, "output")),
    all: () => Object.fromEntries([...known].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
}

function withComponentReferences(part: object): object {
  return z
    .looseObject({})
    .parse(
      JSON.parse(JSON.stringify(part), (key, value: unknown) =>
        key === "$ref" && typeof value === "string" ? withComponentPath(value) : value,
      ),
    );
}

function withComponentPath(reference: string): string {
  return reference.replace("#/$defs/", "#/components/schemas/");
}
