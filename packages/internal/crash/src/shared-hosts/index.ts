export { auditLoad, type LoadAudit } from "./audit-load.js";
export { COUNTED_DAY, openSharedHosts, type SharedHosts } from "./open-shared-hosts.js";
export { type LoadRecord, playLoad } from "./play-load.js";
