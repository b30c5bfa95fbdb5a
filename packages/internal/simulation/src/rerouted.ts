import { type Result, ResultAsync } from "neverthrow";

/** One call of a port. */
export interface PortCall {
  readonly port: string;
  readonly verb: string;
  readonly args: readonly unknown[];
  /** Makes the call. Calling it twice makes the call twice. */
  readonly make: () => PromiseLike<Result<unknown, unknown>>;
}

/** Returns `port` with its calls made by `via`: those of `verbs`, or all by default. */
export function rerouted<T extends object>(
  name: string,
  port: T,
  via: (call: PortCall) => ResultAsync<unknown, unknown>,
  verbs?: ReadonlySet<string>,
): T {
  return new Proxy(port, {
    get: (target, verb) => {
      const method: unknown = Reflect.get(target, verb);
      if (typeof method !== "function" || typeof verb !== "string") return method;
      if (verbs !== undefined && !verbs.has(verb)) return method;
      return (...args: unknown[]) =>
        via({ port: name, verb, args, make: () => answerOf(Reflect.apply(method, target, args)) });
    },
  });
}

function answerOf(answer: unknown): ResultAsync<unknown, unknown> {
  if (answer instanceof ResultAsync) return answer;
  throw new Error("A verb of a port answered with something else than a ResultAsync.");
}
