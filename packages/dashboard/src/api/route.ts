import { type Policy, parseInput } from "@tillkit/core";
import { fail } from "@tillkit/core/errors";
import { type HttpRequest, type Parameters, readJsonBody, readQuery } from "@tillkit/core/http";
import type { Permission } from "@tillkit/core/operators";
import { type AuditAction, type ChangeOutcome, AUDIT_ACTIONS } from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import type { ApiFailure } from "./api-failure.js";
import { changeIdOf, changeRef } from "./change-ref.js";
import { makeChangeOnce } from "./make-change-once.js";
import { pathMatcher, type PathParameters } from "./path-matcher.js";
import type { RouteContext, RouteOutcome } from "./route-context.js";

/**
 * Who may use a route.
 *
 * - `anyone`: also without a session.
 * - `session`: any session, also an incomplete one, in which the second factor is missing.
 * - a permission: a complete session of an operator whose role includes the permission.
 */
export type Allowed = "anyone" | "session" | Permission;

/** A body that is a stream of text instead of JSON. */
export interface Streamed {
  /** The body in blocks of text. */
  readonly body: AsyncIterable<string>;
  readonly contentType: string;
  /** The name of the file that a browser saves. Absent if the body is no file. */
  readonly fileName?: string;
}

/** What a route answers. */
export interface Answered<T> {
  readonly value: T;
  /** The values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
}

interface RouteDefinition<S extends z.ZodType, R extends z.ZodType> {
  readonly method: "GET" | "POST" | "DELETE";
  /** Contains parameters such as `{name}`. */
  readonly path: string;
  readonly allowed: Allowed;
  /** The action that the audit log records if the request is refused. Absent for reads. */
  readonly action?: AuditAction;
  /** Returns the subject of the audit entry from the parameters of the path. */
  readonly subject?: (inPath: PathParameters) => string;
  readonly input: (policy: Policy) => S;
  readonly response: (policy: Policy) => R;
  readonly run: (
    context: RouteContext,
    input: z.output<S>,
  ) => PromiseLike<RouteOutcome<Answered<z.output<R>>>>;
}

/** A route that changes something, once for each `X-Change-Id`. */
interface ChangeDefinition<S extends z.ZodType, R extends z.ZodType> extends Omit<
  RouteDefinition<S, R>,
  "method"
> {
  readonly method: "POST";
  readonly action: AuditAction;
  /** The members that the stored digest of the input leaves out, such as passwords. */
  readonly secret?: readonly (keyof z.output<S> & string)[];
  /** How long the change may take, in milliseconds. Defaults to `policy.workLease`. */
  readonly lease?: (policy: Policy) => number;
  /** Fails if the sender must not make this change. Called before every change and repetition. */
  readonly require?: (context: RouteContext, input: z.output<S>) => Result<void, ApiFailure>;
  /**
   * Reads the answer to a repetition of a change that was made. Changes nothing.
   *
   * A secret that the first answer contained is absent.
   */
  readonly repeat: (
    context: RouteContext,
    input: z.output<S>,
    done: ChangeOutcome,
  ) => PromiseLike<RouteOutcome<Answered<z.output<R>>>>;
}

/** One endpoint of the operator API. */
export interface OperatorRoute {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly allowed: Allowed;
  readonly action?: AuditAction;
  /** Whether each request needs `X-Change-Id`, and takes effect once for it. */
  readonly isChange: boolean;
  readonly input: (policy: Policy) => z.ZodType;
  readonly response: (policy: Policy) => z.ZodType;
  /** Returns the subject of an audit entry. */
  subject(inPath: PathParameters): string;
  /** Returns the decoded parameters of the path, or `undefined` if it does not match. */
  match(path: string): PathParameters | undefined;
  /** Returns the value as JSON text or as a stream, and the cookie. */
  answer(
    context: RouteContext,
    request: HttpRequest,
    inPath: PathParameters,
  ): Promise<Result<Answered<string | Streamed>, ApiFailure>>;
}

/** Creates a row of the route table that answers with a stream of text. */
export function operatorStream<S extends z.ZodType>(
  definition: Pick<RouteDefinition<S, z.ZodString>, "path" | "allowed" | "input"> & {
    readonly run: (
      context: RouteContext,
      input: z.output<S>,
      request: HttpRequest,
    ) => PromiseLike<RouteOutcome<Streamed>>;
  },
): OperatorRoute {
  const { path, allowed, input, run } = definition;
  // The permission of an export is also its action in the audit log.
  const action = AUDIT_ACTIONS.find((name) => name === allowed);
  return {
    method: "GET",
    path,
    allowed,
    ...(action === undefined ? {} : { action }),
    isChange: false,
    input,
    response: () => z.string(),
    subject: () => "",
    match: pathMatcher(path),
    answer: async (context, request, inPath) => {
      const valid = validInput(input(context.ports.policy), readQuery(request), inPath);
      if (valid.isErr()) return err(valid.error);
      const answered = await run(context, valid.value, request);
      return answered.isErr() ? err(answered.error) : ok({ value: answered.value });
    },
  };
}

/** Creates a row of the route table. Its schema is the only place that validates the input. */
export function operatorRoute<S extends z.ZodType, R extends z.ZodType>(
  definition: RouteDefinition<S, R>,
): OperatorRoute {
  const { method, path, allowed, action, subject, input, response, run } = definition;
  return {
    method,
    path,
    allowed,
    isChange: false,
    input,
    response,
    ...(action === undefined ? {} : { action }),
    subject: (inPath) => subject?.(inPath) ?? "",
    match: pathMatcher(path),
    answer: async (context, request, inPath) => {
      const read = method === "GET" ? readQuery(request) : readOptionalBody(request);
      const valid = validInput(input(context.ports.policy), read, inPath);
      if (valid.isErr()) return err(valid.error);
      return asJson(await run(context, valid.value));
    },
  };
}

/**
 * Creates a row of the route table that changes something.
 *
 * A request that is sent again with the same `X-Change-Id` changes nothing, and gets the first
 * outcome.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/operator-changes.md |
 *   A change by an operator takes effect once, with its audit entry}
 */
export function operatorChange<S extends z.ZodType, R extends z.ZodType>(
  definition: ChangeDefinition<S, R>,
): OperatorRoute {
  const {
    method,
    path,
    allowed,
    action,
    subject,
    input,
    response,
    run,
    repeat,
    secret = [],
    lease,
  } = definition;
  const subjectOf = (inPath: PathParameters) => subject?.(inPath) ?? "";
  return {
    method,
    path,
    allowed,
    action,
    isChange: true,
    input,
    response,
    subject: subjectOf,
    match: pathMatcher(path),
    answer: async (context, request, inPath) => {
      const id = changeIdOf(request);
      if (id.isErr()) return err(id.error);
      const valid = validInput(input(context.ports.policy), readOptionalBody(request), inPath);
      if (valid.isErr()) return err(valid.error);
      const permitted = definition.require?.(context, valid.value);
      if (permitted?.isErr() === true) return err(permitted.error);
      const { digest } = context.ports;
      const made = await makeChangeOnce(context, {
        ref: changeRef(digest, id.value, { method, path }, valid.value, secret),
        action,
        subject: subjectOf(inPath),
        ...describedBy(valid.value),
        ...(lease === undefined ? {} : { lease: lease(context.ports.policy) }),
        run: (changing) => run(changing, valid.value),
        repeat: (done) => repeat(context, valid.value, done),
      });
      return asJson(made);
    },
  };
}

const described = z.object({
  appId: z.string().optional(),
  reason: z.string().optional(),
  note: z.string().optional(),
});

/** Returns the members of an input that its audit entry contains. */
function describedBy(input: unknown): { readonly appId?: string; readonly reason: string } {
  const { appId, reason, note } = described.safeParse(input).data ?? {};
  return { ...(appId === undefined ? {} : { appId }), reason: reason ?? note ?? "" };
}

function asJson<T>(answered: RouteOutcome<Answered<T>>): Result<Answered<string>, ApiFailure> {
  if (answered.isErr()) return err(answered.error);
  const { value, cookies } = answered.value;
  return ok({ value: JSON.stringify(value), ...(cookies === undefined ? {} : { cookies }) });
}

function readOptionalBody(request: HttpRequest) {
  return request.body !== "too-large" && request.body.length === 0
    ? ok<Parameters>({})
    : readJsonBody(request);
}

function validInput<S extends z.ZodType>(
  schema: S,
  read: ReturnType<typeof readJsonBody>,
  inPath: PathParameters,
) {
  return read.andThen((parameters) =>
    // The query or body must not repeat a parameter of the path.
    Object.keys(inPath).some((name) => Object.hasOwn(parameters, name))
      ? fail("request.malformed")
      : parseInput(schema, { ...parameters, ...inPath }),
  );
}
