export { bounded } from "./bounded.js";
export type { Bounds } from "./door.js";
export { METRICS_ERRORS } from "./metrics/route.js";
export { metricsRoutes, metricsSurface } from "./metrics/surface.js";
export { notificationRoutes, notificationsSurface } from "./notifications/surface.js";
export { failureReply, type ParameterSource, type Route } from "./payments/route.js";
export { paymentsRoutes } from "./payments/routes.js";
export { paymentsSurface } from "./payments/surface.js";
export type { ClientSignal, HttpReply, HttpRequest, RefusingSurface, Surface } from "./request.js";
