import type { Schema } from "./routes.js";

/** The details that the server adds to the text of some failures. */
export type FailureFacts = Omit<Schema<"OperatorFailure">["error"], "name" | "message" | "traceId">;

/** A request that failed: the server refused it, or did not answer. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  /** Its name, such as `permission.denied`. Without an answer: `offline` or `unreachable`. */
  readonly failure: string;
  /** Identifies the request in the server's log. */
  readonly traceId: string | undefined;
  /** The status of the answer. 0 without an answer that can be read. */
  readonly status: number;
  /** The wrong parameter, or other details that the page shows. */
  readonly facts: FailureFacts;

  /** `message` is for the operator, in the language of the page. */
  constructor(failure: string, message: string, { traceId, status = 0, facts = {} }: ErrorDetails = {}) {
    super(message);
    this.failure = failure;
    this.traceId = traceId;
    this.status = status;
    this.facts = facts;
  }
}

/** The parts of a failure that come from the answer of the server. */
interface ErrorDetails {
  readonly traceId?: string;
  readonly status?: number;
  readonly facts?: FailureFacts;
}

/** Returns the error of an answer that is not a success. */
export function apiErrorOf(body: unknown, status: number): ApiError {
  if (!isFailureBody(body)) return new ApiError("unreachable", `HTTP ${String(status)}`);
  const { name, message, traceId, ...facts } = body.error;
  return new ApiError(name, message, { traceId, status, facts });
}

/** Returns whether a failure means that the operator has to sign in again. */
export function isSessionFailure(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    ["session.missing", "session.incomplete", "password.must-change"].includes(error.failure)
  );
}

function isFailureBody(body: unknown): body is Schema<"OperatorFailure"> {
  return (
    typeof body === "object" &&
    body !== null &&
    "error" in body &&
    typeof body.error === "object" &&
    body.error !== null &&
    "name" in body.error &&
    "message" in body.error
  );
}
