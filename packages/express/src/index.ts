export { metricsRouter, notificationsRouter, paymentsRouter, type RouterOptions } from "./routers.js";
export { surfaceRouter } from "./surface-router.js";
