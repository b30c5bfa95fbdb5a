import createClient from "openapi-fetch";
import { ApiError, apiErrorOf } from "./api-error.js";
import { MOUNT_PATH } from "./mount-path.js";
import type { components, paths } from "./openapi.js";

/** A schema of the operator API, by its name. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** What each request says about the page. */
const sender: { csrfToken: string; language: string } = { csrfToken: "", language: "en" };

/** The only way to the server. */
export const api = createClient<paths>({ baseUrl: MOUNT_PATH });

api.use({
  onRequest: ({ request }) => {
    request.headers.set("accept-language", sender.language);
    if (request.method !== "GET") request.headers.set("x-csrf-token", sender.csrfToken);
    return request;
  },
});

/** Sets the token that changes are sent with. */
export function sendCsrfToken(token: string | undefined): void {
  sender.csrfToken = token ?? "";
}

/** Sets the language of the texts in answers. */
export function askForLanguage(tag: string): void {
  sender.language = tag;
}

/** An answer of `api`. */
interface Sent<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * Returns the value of an answer.
 *
 * @throws ApiError if the server refuses the request or cannot be reached.
 */
export async function valueOf<T>(sending: Promise<Sent<T>>): Promise<T> {
  const { data, error, response } = await sending.catch(() => {
    throw new ApiError("unreachable", "", undefined);
  });
  if (!response.ok || data === undefined) throw apiErrorOf(error, response.status);
  return data;
}
