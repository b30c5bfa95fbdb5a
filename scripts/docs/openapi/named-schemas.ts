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
  /** Adds a schema that has no zod schema. Throws if the name has another schema. */
  define(name: string, schema: object): Reference;
  /** Returns all schemas, ordered by name. */
  all(): Readonly<Record<string, object>>;
}

const converted = z.object({
  $ref: z.string().startsWith("#/$defs/"),
  $defs: z.record(z.string(), z.looseObject({})),
});

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
  return {
    define,
    add: (schema) => {
      const { $ref, $defs } = converted.parse(
        z.toJSONSchema(schema, { unrepresentable: "any", io: "output", override: withoutIntegerBounds }),
      );
      for (const [name, part] of Object.entries($defs)) define(name, withComponentReferences(part));
      return { $ref: withComponentPath($ref) };
    },
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
