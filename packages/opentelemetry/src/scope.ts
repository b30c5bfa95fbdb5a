/** The name of the tracer and of the meter of this package. */
export const SCOPE = "@tillkit/opentelemetry";
