import type { Result, ResultAsync } from "neverthrow";
import type * as z from "zod";
import type { App } from "../../apps/app.js";
import type { Failure } from "../../errors/failure.js";
import type { Policy } from "../../policy.js";
import type { Ports } from "../../ports.js";
import type { MessageHeaders } from "../../shared/message-headers.js";
import { parseInput } from "../../shared/input.js";
import type { TypedJson } from "../replies.js";
import { type Parameters, readAnyParameters, readJsonBody, readQuery } from "../read-parameters.js";
import type { HttpRequest } from "../request.js";
import { withoutTrailingSlash } from "../without-trailing-slash.js";
import { successEnvelope } from "./envelope.js";

/** Where the parameters of a route are. */
export type ParameterSource = "query" | "body" | "path" | "anywhere";

type SuccessSchema = z.ZodType<{ readonly code: 0; readonly msg: "success"; readonly data: unknown }>;

interface RouteDefinition<S extends z.ZodType, T, R extends SuccessSchema> {
  readonly method: "GET" | "POST";
  /** May contain one `{parameter}`. */
  readonly path: string;
  readonly from: ParameterSource;
  readonly input: (policy: Policy) => S;
  /**
   * The schema of a success.
   *
   * It types and documents the answer. Tillkit does not check answers against it.
   */
  readonly response: (policy: Policy) => R;
  /** `app` is the authenticated caller. */
  readonly run: (
    ports: Ports,
    app: App,
    input: z.output<S>,
    headers: MessageHeaders,
  ) => ResultAsync<T, Failure>;
  /** Writes `data` of the answer as JSON text. */
  readonly data: (value: T, policy: Policy) => TypedJson<z.output<R>["data"]>;
  /** Returns members of a success envelope other than `code`, `msg` and `data`. */
  readonly extra?: (
    value: T,
    traceId: string,
  ) => Omit<z.output<R>, "code" | "msg" | "data"> & Readonly<Record<string, string>>;
  /** See {@link Route.isNegotiable}. Defaults to false. */
  readonly isNegotiable?: true;
}

/** One endpoint: its documentation, and how it answers an authenticated caller. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly from: ParameterSource;
  readonly input: (policy: Policy) => z.ZodType;
  /** The schema of the whole body of a success, for tests and the reference. */
  readonly response: (policy: Policy) => z.ZodType;
  /**
   * Whether a success may be compressed, and replaced by 304.
   *
   * Never true for an answer with a secret or a signature. An attacker who can choose other parts
   * of the answer could find the secret from the compressed length.
   */
  readonly isNegotiable: boolean;
  /**
   * Returns the parameters of the path, still encoded, or `undefined` if the path does not match.
   *
   * A slash at the end of the path makes no difference.
   */
  match(path: string): Parameters | undefined;
  /** Returns the success envelope, or the failure. */
  answer(
    ports: Ports,
    app: App,
    request: HttpRequest,
    inPath: Parameters,
    traceId: string,
  ): Promise<Result<string, Failure>>;
}

/** Creates a row of the route table. Only the `input` schema of the row validates the input. */
export function route<S extends z.ZodType, T, R extends SuccessSchema>(
  definition: RouteDefinition<S, T, R>,
): Route {
  const { method, path, from, input, response, run, data, extra, isNegotiable = false } = definition;
  const [before = "", parameter, after = ""] = path.split(/\{(\w+)\}/);
  return {
    method,
    path,
    from,
    input,
    response,
    isNegotiable,
    match(text) {
      const actual = withoutTrailingSlash(text);
      if (parameter === undefined) return actual === path ? {} : undefined;
      const value = actual.slice(before.length, actual.length - after.length);
      const fits = actual === before + value + after && value !== "" && !value.includes("/");
      return fits ? { [parameter]: value } : undefined;
    },
    async answer(ports, app, request, inPath, traceId) {
      const parameters = readParameters(from, request, inPath);
      const parsed = parameters.andThen((raw) => parseInput(input(ports.policy), raw));
      const result = await parsed.asyncAndThen((valid) => run(ports, app, valid, request.headers));
      return result.map((value) => successEnvelope(data(value, ports.policy), extra?.(value, traceId) ?? {}));
    },
  };
}

function readParameters(from: ParameterSource, request: HttpRequest, inPath: Parameters) {
  switch (from) {
    case "query":
      return readQuery(request);
    case "body":
      return readJsonBody(request);
    case "anywhere":
      return readAnyParameters(request);
    case "path":
      return decodePath(inPath);
  }
}

function decodePath(inPath: Parameters) {
  // Decode a path like a query, but keep its plus signs.
  const query = Object.entries(inPath).map(
    ([name, value]) => `${name}=${String(value).replaceAll("+", "%2B").replaceAll("&", "%26")}`,
  );
  return readQuery({ query: query.join("&") });
}
