import { isError } from "@tillkit/core/errors";
import { context, type Attributes, type Span, SpanStatusCode, trace, type Tracer } from "@opentelemetry/api";

/** How the methods of an object are traced. */
export interface TracedObject {
  readonly tracer: Tracer;
  /** The first part of each span's name: `orders` makes `orders.insertOnce`. */
  readonly name: string;
  readonly attributes: Attributes;
  /** The methods that do no I/O and get no span. */
  readonly untraced: ReadonlySet<string>;
}

/** A method of a port. Its arguments and its result are not inspected. */
type Method = (...args: readonly unknown[]) => unknown;

/**
 * Returns an object like `target` with a span around each call of a method.
 *
 * A span ends when the promise of the call settles. It contains no argument and no result. If the
 * result is an `Err`, the span has the status ERROR and the failure's name as `error.type`.
 */
export function traceMethods<T extends object>(target: T, options: TracedObject): T {
  const traced = new Map<string, Method>();
  return new Proxy(target, {
    get(object, key): unknown {
      const value: unknown = Reflect.get(object, key);
      if (typeof key !== "string" || !isMethod(value)) return value;
      const known =
        traced.get(key) ??
        (options.untraced.has(key) ? value.bind(object) : tracedMethod(object, key, value, options));
      traced.set(key, known);
      return known;
    },
  });
}

function tracedMethod(
  target: object,
  key: string,
  method: Method,
  { tracer, name, attributes }: TracedObject,
): Method {
  return (...args) => {
    const span = tracer.startSpan(`${name}.${key}`, { attributes });
    return context.with(trace.setSpan(context.active(), span), () => {
      try {
        const result = Reflect.apply(method, target, args);
        void ended(span, result);
        return result;
      } catch (thrown) {
        fail(span, typeOf(thrown));
        span.end();
        throw thrown;
      }
    });
  };
}

/** Ends the span when the call has ended. Never rejects. */
async function ended(span: Span, result: unknown): Promise<void> {
  try {
    const failure = failureOf(await result);
    if (failure !== undefined) fail(span, failure);
  } catch (thrown) {
    fail(span, typeOf(thrown));
  } finally {
    span.end();
  }
}

function fail(span: Span, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns the name of the failure in a `Result`, or `undefined` for everything else. */
function failureOf(result: unknown): string | undefined {
  if (typeof result !== "object" || result === null || !("error" in result)) return undefined;
  const { error } = result;
  const isNamed = typeof error === "object" && error !== null && "name" in error;
  return isNamed && typeof error.name === "string" ? error.name : "failed";
}

/** Returns the class of an error, not the message, which may contain personal data. */
function typeOf(thrown: unknown): string {
  return isError(thrown) ? thrown.constructor.name : typeof thrown;
}

function isMethod(value: unknown): value is Method {
  return typeof value === "function";
}
