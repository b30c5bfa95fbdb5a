export { createDatabase } from "./create-database.js";
export { freePort } from "./free-port.js";
export { findCitus, type LocalCitus, startCitus } from "./start-citus.js";
export { type LocalPostgres, startPostgres } from "./start-postgres.js";
