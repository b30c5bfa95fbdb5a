import { defaultPolicy } from "@tillkit/core";
import { z } from "zod";
import type { OperatorRoute } from "../../../packages/dashboard/src/api/route.js";
import type { NamedSchemas } from "../openapi/named-schemas.js";
import type { OperationRow } from "./operations.js";

/** The schema of an input: an object, or an intersection of objects. */
interface InputSchema {
  readonly properties?: Readonly<Record<string, object>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly allOf?: readonly InputSchema[] | undefined;
}

const inputSchema: z.ZodType<InputSchema> = z.looseObject({
  properties: z.record(z.string(), z.looseObject({})).optional(),
  required: z.array(z.string()).optional(),
  get allOf() {
    return z.array(inputSchema).optional();
  },
});

/** One member of an input. */
interface Member {
  readonly name: string;
  readonly schema: object;
  readonly required: boolean;
}

/** The header of every change. */
const CHANGE_ID = {
  name: "X-Change-Id",
  in: "header",
  required: true,
  description:
    "Made once for what the person wants. A request that is sent again with the same id changes nothing, and gets the first outcome.",
  schema: { type: "string", pattern: "^[A-Za-z0-9_-]{16,64}$" },
} as const;

/** Describes one endpoint of the operator API. */
export function operatorOperation(route: OperatorRoute, row: OperationRow, schemas: NamedSchemas) {
  const { id, summary, contentType } = row;
  const members = membersOf(schemas.inline(route.input(defaultPolicy), "input"));
  const isInPath = ({ name }: Member) => route.path.includes(`{${name}}`);
  const others = members.filter((member) => !isInPath(member));
  const isRead = route.method === "GET";
  const parameters = [
    ...members.filter(isInPath).map((member) => ({ ...parameterOf(member, "path"), required: true })),
    ...(isRead ? others.map((member) => parameterOf(member, "query")) : []),
    ...(route.isChange ? [CHANGE_ID] : []),
  ];
  return {
    operationId: id,
    tags: [tagOf(route.path)],
    summary,
    description: allowedText(route),
    security: route.allowed === "anyone" ? [] : [{ session: [], ...(isRead ? {} : { csrfToken: [] }) }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(isRead || others.length === 0 ? {} : { requestBody: bodyOf(others, id, schemas) }),
    responses: {
      "200": {
        description: "The answer.",
        content: {
          [contentType ?? "application/json"]: {
            schema: schemas.addAs(`${capitalized(id)}Answer`, route.response(defaultPolicy)),
          },
        },
      },
      "4XX": { $ref: "#/components/responses/Failure" },
      "5XX": { $ref: "#/components/responses/Failure" },
    },
  };
}

/** Returns the tag of an operation: the first segment below `/api`. */
export function tagOf(path: string): string {
  const [, , first = ""] = path.split(/[/.]/);
  return capitalized(first.replaceAll("-", " "));
}

function allowedText({ allowed }: OperatorRoute): string {
  if (allowed === "anyone") return "Needs no session.";
  if (allowed === "session") return "Needs a session, which may lack its second factor.";
  return `Needs a session with the permission \`${allowed}\`.`;
}

function parameterOf({ name, schema, required }: Member, place: "path" | "query") {
  return { name, in: place, required, schema };
}

function bodyOf(members: readonly Member[], id: string, schemas: NamedSchemas) {
  const schema = schemas.define(`${capitalized(id)}Request`, {
    type: "object",
    properties: Object.fromEntries(members.map((member) => [member.name, member.schema])),
    required: members.filter(({ required }) => required).map(({ name }) => name),
  });
  return { required: true, content: { "application/json": { schema } } };
}

/** Returns the members of an object, or of all objects of an intersection. */
function membersOf(schema: object): readonly Member[] {
  const { properties = {}, required = [], allOf = [] } = inputSchema.parse(schema);
  const own = Object.entries(properties).map(([name, member]) => ({
    name,
    schema: member,
    required: required.includes(name),
  }));
  return [...own, ...allOf.flatMap(membersOf)];
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
