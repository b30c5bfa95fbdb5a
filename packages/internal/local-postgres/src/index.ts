export { createDatabase } from "./create-database.js";
export { type LocalPostgres, startPostgres } from "./start-postgres.js";
