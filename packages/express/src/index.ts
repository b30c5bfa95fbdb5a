export { metricsRouter, notificationsRouter, paymentsRouter, type RouterOptions } from "./routers.js";
export { surfaceRouter, type SurfaceRouterOptions } from "./surface-router.js";
