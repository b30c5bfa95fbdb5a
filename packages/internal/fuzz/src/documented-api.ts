import { createRequire } from "node:module";
import { z } from "zod";

const COMPONENT = "#/components/";
const schema = z.object({
  type: z.string(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
});
const body = z.object({
  properties: z.record(z.string(), schema),
  required: z.array(z.string()).default([]),
});
const operation = z.object({
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().default(false), schema }))
    .default([]),
  requestBody: z.object({ content: z.object({ "application/json": z.object({ schema: body }) }) }).optional(),
  "x-tillkit-failures": z.array(z.object({ code: z.int().optional() })).default([]),
});
const openApi = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))),
});
type Components = z.infer<typeof openApi>["components"];
const reference = z.object({ $ref: z.string().startsWith(COMPONENT) });

/** A documented parameter of an endpoint. */
export interface DocumentedParameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: z.infer<typeof schema>;
}

/** What the reference documents about an endpoint. */
export interface DocumentedEndpoint {
  readonly parameters: readonly DocumentedParameter[];
  /** The codes of its failures. Empty for endpoints without codes. */
  readonly codes: ReadonlySet<number>;
}

/** Reads the endpoints of the shipped OpenAPI document, by method and path. */
export function documentedApi(): ReadonlyMap<string, DocumentedEndpoint> {
  const { paths, components } = openApi.parse(createRequire(import.meta.url)("@tillkit/core/openapi.json"));
  const endpoints = new Map<string, DocumentedEndpoint>();
  for (const [path, members] of Object.entries(paths))
    for (const [method, member] of Object.entries(members)) {
      const { success, data } = operation.safeParse(resolved(member, components));
      if (success) endpoints.set(`${method.toUpperCase()} ${path}`, endpointOf(data));
    }
  return endpoints;
}

function endpointOf(documented: z.infer<typeof operation>): DocumentedEndpoint {
  const { parameters, requestBody, "x-tillkit-failures": failures } = documented;
  const { properties = {}, required = [] } = requestBody?.content["application/json"].schema ?? {};
  const members = Object.entries(properties).map(([name, member]) => {
    return { name, required: required.includes(name), schema: member };
  });
  return {
    // A header such as `If-None-Match` is no parameter of the endpoint.
    parameters: [...parameters.filter((parameter) => parameter.in !== "header"), ...members],
    codes: new Set(failures.flatMap(({ code }) => code ?? [])),
  };
}

/** Replaces the references to components in a part of the document by the components. */
function resolved(part: unknown, components: Components): unknown {
  if (Array.isArray(part)) return part.map((one: unknown) => resolved(one, components));
  if (typeof part !== "object" || part === null) return part;
  const { success, data } = reference.safeParse(part);
  const [kind = "", name = ""] = success ? data.$ref.slice(COMPONENT.length).split("/") : [];
  const own = components[kind]?.[name];
  const members = Object.entries({ ...own, ...part }).filter(
    ([member]) => own === undefined || member !== "$ref",
  );
  return Object.fromEntries(members.map(([member, value]) => [member, resolved(value, components)]));
}
