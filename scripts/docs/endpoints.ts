import { defaultPolicy } from "@tillkit/core";
import { ERROR_CATALOG } from "@tillkit/core/errors";
import { type Route, paymentsRoutes } from "@tillkit/core/http";
import type ts from "typescript";
import type { z } from "zod";
import { endpointFailures } from "./endpoint-failures.js";
import { OPERATION_IDS, PARAMETER_MEANINGS, PURPOSES } from "./meanings.js";
import { type Parameter, parametersOf } from "./parameters.js";

/** One payments endpoint with everything that the reference states about it. */
export interface Endpoint extends Pick<Route, "method" | "path" | "from" | "isNegotiable"> {
  /** The schema of a success under the default policy. */
  readonly response: () => z.ZodType;
  readonly purpose: string;
  /** The name of the operation in the OpenAPI document. */
  readonly operationId: string;
  readonly parameters: readonly (Parameter & { readonly meaning: string })[];
  /** Names of the error catalog, ordered by code. */
  readonly failures: readonly (keyof typeof ERROR_CATALOG)[];
}

/** Returns the payments endpoints, in the order of the route table. */
export function paymentsEndpoints(program: ts.Program): readonly Endpoint[] {
  const ofFunctions = endpointFailures(program);
  return paymentsRoutes.map((route) => {
    const { method, path, from, isNegotiable } = route;
    const purpose = PURPOSES.get(path);
    const operationId = OPERATION_IDS.get(path);
    const ofFunction = ofFunctions.get(path);
    if (purpose === undefined || operationId === undefined || ofFunction === undefined)
      throw new Error(
        `The endpoint ${path} has no purpose or no operation id in scripts/docs/meanings.ts: add them`,
      );
    const parameters = parametersOf(route).map((parameter) => {
      const meaning = PARAMETER_MEANINGS.get(parameter.name);
      if (meaning === undefined)
        throw new Error(
          `The parameter ${parameter.name} has no meaning in scripts/docs/meanings.ts: add one`,
        );
      return { ...parameter, meaning: [meaning, parameter.description ?? []].flat().join(" ") };
    });
    const names = new Set([
      "credentials.missing",
      "credentials.invalid",
      "request.malformed",
      "storage.unavailable",
      ...(parameters.length === 0 ? [] : ["parameter.missing", "parameter.invalid"]),
      ...(from === "body" || from === "anywhere" ? ["request.too-large"] : []),
      ...parameters.flatMap((parameter) => parameter.failures),
      ...ofFunction,
    ]);
    return {
      method,
      path,
      from,
      isNegotiable,
      purpose,
      operationId,
      response: () => route.response(defaultPolicy),
      parameters,
      failures: catalogueNames().filter((name) => names.has(name)),
    };
  });
}

/** Returns every name of the error catalog, ordered by code. */
function catalogueNames(): readonly (keyof typeof ERROR_CATALOG)[] {
  const isName = (name: string): name is keyof typeof ERROR_CATALOG => Object.hasOwn(ERROR_CATALOG, name);
  return Object.keys(ERROR_CATALOG)
    .filter(isName)
    .sort((a, b) => ERROR_CATALOG[a].code - ERROR_CATALOG[b].code);
}
