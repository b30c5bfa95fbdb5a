import { ERROR_CATALOG } from "../../errors/catalog.js";
import type { Failure } from "../../errors/failure.js";
import { httpStatus } from "../../errors/http-status.js";
import { failureMessage, type Language } from "../../errors/message.js";
import type { Policy } from "../../policy.js";
import { tracedHeaders, type TypedJson, typedJson } from "../replies.js";
import type { HttpReply } from "../request.js";
import type { FailureRecord } from "./response-schemas.js";

/**
 * Writes the success envelope: `code`, `msg` and `data`, and then the extra members.
 *
 * @param extra - Members beside `data`, such as `traceId`. The route's `extra` returns them.
 */
export function successEnvelope(data: TypedJson<unknown>, extra: Readonly<Record<string, string>>): string {
  let members = "";
  for (const [name, text] of Object.entries(extra)) members += `,"${name}":${JSON.stringify(text)}`;
  return `{"code":0,"msg":"success","data":${data.text}${members}}`;
}

/**
 * Creates the reply with the failure envelope, without the failure's `cause`.
 *
 * If the failure has `retryAfter`, the reply has a `Retry-After` header. The HTTP status follows
 * `policy.statusMode`. Some failures have their own status in every mode.
 */
export function failureReply(
  failure: Failure,
  policy: Policy,
  language: Language,
  traceId: string,
): HttpReply<string> {
  const { code } = ERROR_CATALOG[failure.name];
  const body = typedJson<FailureRecord>({ code, msg: failureMessage(failure, language, policy), traceId });
  const status = httpStatus(failure.name, policy.statusMode);
  const headers = tracedHeaders(traceId);
  const retryAfter = "retryAfter" in failure ? failure.retryAfter : undefined;
  return {
    status,
    headers: retryAfter === undefined ? headers : { ...headers, "retry-after": String(retryAfter) },
    body: body.text,
    code,
  };
}
