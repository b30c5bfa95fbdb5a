import type { Language } from "../errors/message.js";
import type { HttpRequest } from "./request.js";

/**
 * Returns Chinese if `Accept-Language` starts with `zh`, otherwise English.
 *
 * @returns the language of the messages.
 * @example
 * ```ts
 * import { type HttpRequest, languageOf } from "@tillkit/core/http";
 *
 * declare const request: HttpRequest;
 *
 * const language = languageOf(request);
 * ```
 */
export function languageOf(request: HttpRequest): Language {
  return /^\s*zh\b/i.test(request.headers.get("accept-language") ?? "") ? "zh" : "en";
}
