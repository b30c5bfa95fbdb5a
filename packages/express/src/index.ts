export { metricsRouter, notificationsRouter, paymentsRouter } from "./routers.js";
export { surfaceRouter } from "./surface-router.js";
