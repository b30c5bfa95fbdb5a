export type { HostFacts } from "./host-file.js";
export { type DevHost, type DevHostOptions, startDevHost } from "./start-dev-host.js";
