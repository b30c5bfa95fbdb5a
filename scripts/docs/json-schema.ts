import { z } from "zod";

/** The part of JSON Schema that describes answers. */
export interface AnswerSchema {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: string | undefined;
  readonly const?: string | number | boolean | undefined;
  readonly enum?: readonly (string | number)[] | undefined;
  readonly format?: string | undefined;
  readonly anyOf?: readonly AnswerSchema[] | undefined;
  readonly items?: AnswerSchema | undefined;
  readonly properties?: Readonly<Record<string, AnswerSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
}

const answerSchema: z.ZodType<AnswerSchema> = z.looseObject({
  title: z.string().optional(),
  description: z.string().optional(),
  type: z.string().optional(),
  const: z.union([z.string(), z.number(), z.boolean()]).optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  format: z.string().optional(),
  get anyOf() {
    return z.array(answerSchema).optional();
  },
  get items() {
    return answerSchema.optional();
  },
  get properties() {
    return z.record(z.string(), answerSchema).optional();
  },
  required: z.array(z.string()).optional(),
});

/**
 * Converts a schema to JSON Schema, without the bounds that every integer has.
 *
 * The result has no references: it contains a copy of each named schema.
 */
export function jsonSchema(schema: z.ZodType): AnswerSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    unrepresentable: "any",
    io: "output",
    override: withoutIntegerBounds,
  });
  const { $defs = {}, ...root } = definitions.parse(rest);
  return answerSchema.parse(inlined(root, $defs));
}

const definitions = z.looseObject({ $defs: z.record(z.string(), z.unknown()).optional() });
const reference = z.looseObject({ $ref: z.string().startsWith("#/$defs/") });

/** Replaces each reference by a copy of its definition. */
function inlined(part: unknown, defs: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(part)) return part.map((one: unknown) => inlined(one, defs));
  if (typeof part !== "object" || part === null) return part;
  const { success, data } = reference.safeParse(part);
  if (success) {
    const { $ref, ...beside } = data;
    return inlined({ ...definitions.parse(defs[$ref.slice("#/$defs/".length)]), ...beside }, defs);
  }
  return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, inlined(member, defs)]));
}

/** Removes the bounds that every safe integer has. An `override` for `z.toJSONSchema`. */
export function withoutIntegerBounds({
  jsonSchema: part,
}: {
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum;
  if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
}

/** One field of an answer. */
export interface Field {
  /** The path from the top: `payOrderList[].id`. Empty for a value that is not an object. */
  readonly path: string;
  readonly type: string;
  readonly meaning: string;
}

/** Returns every field of an answer. The members of an object follow the object. */
export function fieldsOf(schema: AnswerSchema, path = "", optional = false): readonly Field[] {
  const own = {
    path,
    type: `${typeOf(schema)}${optional ? ", optional" : ""}`,
    meaning: schema.description ?? "",
  };
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    fieldsOf(member, path === "" ? name : `${path}.${name}`, schema.required?.includes(name) !== true),
  );
  const holdsMore = members.length > 0;
  const items =
    schema.items === undefined
      ? []
      : fieldsOf(schema.items, `${path}[]`).filter((one) => one.path !== `${path}[]`);
  return [...(holdsMore && own.meaning === "" && !optional ? [] : [own]), ...members, ...items];
}

function typeOf(schema: AnswerSchema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(" ");
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array")
    return `array of ${schema.items === undefined ? "anything" : typeOf(schema.items)}`;
  return schema.format ?? schema.type ?? "anything";
}
