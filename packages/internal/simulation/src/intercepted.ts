import { type Result, ResultAsync } from "neverthrow";

/** One call of a port. */
export interface PortCall {
  readonly port: string;
  readonly method: string;
  readonly args: readonly unknown[];
  /** Makes the call. Calling it twice makes the call twice. */
  readonly make: () => PromiseLike<Result<unknown, unknown>>;
}

/**
 * Returns `port` with its calls made by `via`: the calls of the given methods, or all by default.
 */
export function intercepted<T extends object>(
  name: string,
  port: T,
  via: (call: PortCall) => ResultAsync<unknown, unknown>,
  verbs?: ReadonlySet<string>,
): T {
  return new Proxy(port, {
    get: (target, method) => {
      const member: unknown = Reflect.get(target, method);
      if (typeof member !== "function" || typeof method !== "string") return member;
      if (verbs !== undefined && !verbs.has(method)) return member;
      return (...args: unknown[]) =>
        via({ port: name, method, args, make: () => answerOf(Reflect.apply(member, target, args)) });
    },
  });
}

function answerOf(answer: unknown): ResultAsync<unknown, unknown> {
  if (answer instanceof ResultAsync) return answer;
  throw new Error("A method of a port did not return a ResultAsync.");
}
