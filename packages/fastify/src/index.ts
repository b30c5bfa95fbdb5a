export { metricsPlugin, notificationsPlugin, paymentsPlugin, type PluginOptions } from "./plugins.js";
export { surfacePlugin, type SurfacePluginOptions } from "./surface-plugin.js";
