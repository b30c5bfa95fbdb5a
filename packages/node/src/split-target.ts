import type { HttpRequest } from "@tillkit/core/http";

/** What a request asks for, as its client wrote it. */
export type Target = Pick<HttpRequest, "path" | "query">;

/** Path and query of `request.url`. A client that sends an absolute URL gets its scheme and host cut off here. */
export function splitTarget(url: string): Target {
  const target = url.startsWith("/") ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path: path === "" ? "/" : path, query: mark < 0 ? "" : target.slice(mark + 1) };
}
