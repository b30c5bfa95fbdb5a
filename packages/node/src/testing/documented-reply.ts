import { createRequire } from "node:module";
import type { ReplyCheck, ServiceExchange } from "@tillkit/contract-tests";
import { metricsRoutes, paymentsRoutes } from "@tillkit/core/http";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";

const openApi = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({ schemas: z.looseObject({ PayChannel: z.looseObject({}) }) }),
});
const operation = z.object({ responses: z.record(z.string(), z.unknown()) });
const document = openApi.parse(createRequire(import.meta.url)("@tillkit/core/openapi.json"));

/** Validators by the names of the channels, which a host can change. */
const validators = new Map<string, Ajv2020>();

/** Returns why a reply does not match the OpenAPI document, or `undefined` if it matches. */
export const documentedReply: ReplyCheck = (exchange) => {
  const { surface, request, reply, policy } = exchange;
  // Each wallet defines how a notification is acknowledged, so the document has no schema for it.
  if (surface === "notifications" && reply.status !== 404) return undefined;
  const pointer = schemaPointer(exchange);
  if (pointer === undefined) return `${request.method} has no documented status ${reply.status}`;
  const ajv = validatorFor(Object.values(policy.payChannelNames));
  if (reply.status === 304) return reply.body === "" ? undefined : "304 has a body";
  const validate = ajv.getSchema(`openapi${pointer}`);
  if (validate === undefined) return `The document has nothing at ${pointer}`;
  const body: unknown = JSON.parse(reply.body);
  return validate(body) === true ? undefined : `${pointer}: ${ajv.errorsText(validate.errors)}`;
};

/** Returns the pointer to the schema of a reply, or `undefined` if its status is not documented. */
function schemaPointer({ surface, request, reply }: ServiceExchange): string | undefined {
  const { path } = request;
  // HEAD has the answers of GET.
  const method = surface === "metrics" && request.method === "HEAD" ? "GET" : request.method;
  const found =
    surface === "payments"
      ? paymentsRoutes.find((one) => one.method === method && one.match(path) !== undefined)
      : metricsRoutes.find((one) => one.method === method && (path === one.path || path === `${one.path}/`));
  if (surface === "notifications" || found === undefined) return "#/components/schemas/Failure";
  const verb = method.toLowerCase();
  const { responses } = operation.parse(document.paths[found.path]?.[verb]);
  if (!Object.hasOwn(responses, String(reply.status))) return undefined;
  const steps = ["paths", found.path, verb, "responses", String(reply.status)];
  const pointer = [...steps, "content", "application/json", "schema"].map((step) =>
    encodeURIComponent(step.replaceAll("/", "~1")),
  );
  return `#/${pointer.join("/")}`;
}

/** Returns a validator of the document whose `PayChannel` has these names. */
function validatorFor(names: readonly string[]): Ajv2020 {
  const key = JSON.stringify(names);
  const known = validators.get(key);
  if (known !== undefined) return known;
  const { schemas } = document.components;
  const PayChannel = { ...schemas.PayChannel, enum: names };
  const components = { ...document.components, schemas: { ...schemas, PayChannel } };
  // The document is an OpenAPI document, not a schema: its own keywords are unknown to ajv.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ ...document, components }, "openapi");
  validators.set(key, ajv);
  return ajv;
}
