/** Removes one slash from the end of a path: an endpoint is also found with a slash after it. */
export function withoutTrailingSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
