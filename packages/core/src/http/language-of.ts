import type { Language } from "../errors/message.js";
import type { HttpRequest } from "./request.js";

/** Returns Chinese if `Accept-Language` starts with `zh`, otherwise English. */
export function languageOf(request: HttpRequest): Language {
  return /^\s*zh\b/i.test(request.headers.get("accept-language") ?? "") ? "zh" : "en";
}
