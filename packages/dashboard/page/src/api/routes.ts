import type { components, paths } from "./openapi.js";

/** A schema of the operator API, by its name. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

type Method = "get" | "post" | "delete";

/** The operation of a path, or nothing if the path does not have the method. */
type Operation<Path extends keyof paths, M extends Method> =
  paths[Path] extends Readonly<Record<M, infer Found>> ? Found : undefined;

/** The JSON that a path answers with, or `never` if it answers with something else. */
export type Answer<Path extends keyof paths, M extends Method> =
  Operation<Path, M> extends { responses: { 200: { content: { "application/json": infer Found } } } }
    ? Found
    : never;

/** The JSON that a path takes, or `undefined` if it takes none. */
export type Body<Path extends keyof paths, M extends Method> =
  Operation<Path, M> extends { requestBody: { content: { "application/json": infer Sent } } }
    ? Sent
    : undefined;

/** The parameters of a path: `path` and `query`. */
export type Parameters<Path extends keyof paths, M extends Method> =
  Operation<Path, M> extends { parameters: infer Given }
    ? Pick<Given, keyof Given & ("path" | "query")>
    : never;

/** The parameters of any path. */
export interface AnyParameters {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
}

type PathsWith<M extends Method> = {
  [Path in keyof paths]: [Answer<Path, M>] extends [never] ? never : Path;
}[keyof paths];

/** A path that a view reads. */
export type ReadPath = PathsWith<"get">;

/** A path of signing in, or of a check that changes no business data. */
export type StepPath<M extends Method = "post"> = Extract<
  PathsWith<M>,
  "/api/session" | `/api/session/${string}` | `${string}/dry-run`
>;

/** A path that changes something. */
export type ChangePath = Exclude<PathsWith<"post">, StepPath>;
