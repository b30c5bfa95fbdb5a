import type { Reader } from "./read-answer.js";

/** A request of the API. */
export interface Call<T> {
  readonly operation: string;
  readonly method: "GET" | "POST";
  /** The path in the API reference. */
  readonly path: string;
  /** The path to request, if it differs from `path`. */
  readonly actualPath?: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a repetition has the same effect as one request. */
  readonly isRepeatable: boolean;
  /** Reads the body of a response. */
  readonly read: Reader<T>;
}

/** The parts of a request that depend on the surface. */
export interface Surface {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}
