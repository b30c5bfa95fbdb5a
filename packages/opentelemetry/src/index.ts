export { metricsObserver, type MetricsOptions } from "./metrics-observer.js";
export { type HostMetricsOptions, observeHost, type ObservedHost } from "./observe-host.js";
export { observeRecord, type RecordOptions } from "./observe-record.js";
export { instrumentSurface, type SurfaceOptions } from "./instrument-surface.js";
export { traceHeaders } from "./trace-headers.js";
export { traceSteps, type TraceStepsOptions } from "./trace-steps.js";
export { type TracedPortsOptions, tracePorts } from "./trace-ports.js";
