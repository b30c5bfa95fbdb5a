export type { Logger } from "./log/logger.js";
export { type OpenedTillkit, openTillkit, type OpenTillkitOptions } from "./open-tillkit.js";
export type { HostDatabase, HostOptions, Routes, RoutesContext, ServeOptions } from "./options.js";
export { serveTillkit } from "./serve-tillkit.js";
