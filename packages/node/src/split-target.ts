import type { HttpRequest } from "@tillkit/core/http";

/** The path and query of a request, as the client wrote them. */
export type RequestTarget = Pick<HttpRequest, "path" | "query">;

/** Splits `request.url` into path and query. Removes the scheme and host of an absolute URL. */
export function splitTarget(url: string): RequestTarget {
  const target = url.startsWith("/") ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path: path === "" ? "/" : path, query: mark < 0 ? "" : target.slice(mark + 1) };
}
