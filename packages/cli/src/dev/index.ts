export type { HostFacts } from "./host-file.js";
export { type Quickstart, type QuickstartOptions, startQuickstart } from "./start-quickstart.js";
