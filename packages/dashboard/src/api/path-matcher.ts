import { readPathSegment } from "@tillkit/core/text";

/** The decoded parameters of a path, by name. */
export type PathParameters = Readonly<Record<string, string>>;

/**
 * Creates a function that matches paths with `pattern`, such as `/api/operators/{name}`.
 *
 * The function returns the decoded parameters, or `undefined` if the path does not match.
 */
export function pathMatcher(pattern: string): (path: string) => PathParameters | undefined {
  const segments = pattern.split("/");
  return (path) => matchSegments(segments, path.split("/"));
}

function matchSegments(pattern: readonly string[], actual: readonly string[]): PathParameters | undefined {
  if (pattern.length !== actual.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const part = actual[index] ?? "";
    const [, parameter] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (parameter === undefined) {
      if (part !== segment) return undefined;
    } else {
      const decoded = readPathSegment(part);
      if (decoded === undefined || decoded === "") return undefined;
      found[parameter] = decoded;
    }
  }
  return found;
}
