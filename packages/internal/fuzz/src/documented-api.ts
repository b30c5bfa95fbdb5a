import { readFileSync } from "node:fs";
import { root } from "@tillkit/repository";
import { z } from "zod";

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
    .array(z.object({ name: z.string(), required: z.boolean().default(false), schema }))
    .default([]),
  requestBody: z.object({ content: z.object({ "application/json": z.object({ schema: body }) }) }).optional(),
  "x-failures": z.array(z.object({ code: z.int() })).default([]),
});
const openApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

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

/** Reads the endpoints of the reference (`openapi.json`), by method and path. */
export function documentedApi(): ReadonlyMap<string, DocumentedEndpoint> {
  const { paths } = openApi.parse(JSON.parse(readFileSync(`${root}docs/reference/openapi.json`, "utf8")));
  const endpoints = new Map<string, DocumentedEndpoint>();
  for (const [path, members] of Object.entries(paths))
    for (const [method, member] of Object.entries(members)) {
      const { success, data } = operation.safeParse(member);
      if (success) endpoints.set(`${method.toUpperCase()} ${path}`, endpointOf(data));
    }
  return endpoints;
}

function endpointOf(documented: z.infer<typeof operation>): DocumentedEndpoint {
  const { parameters, requestBody, "x-failures": failures } = documented;
  const { properties = {}, required = [] } = requestBody?.content["application/json"].schema ?? {};
  const members = Object.entries(properties).map(([name, member]) => {
    return { name, required: required.includes(name), schema: member };
  });
  return { parameters: [...parameters, ...members], codes: new Set(failures.map(({ code }) => code)) };
}
