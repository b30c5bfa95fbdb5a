export {
  type PgConnection,
  type PgPool,
  type PgQueries,
  postgresFulfilmentStore,
  type PostgresFulfilmentOptions,
} from "./postgres-fulfilment-store.js";
export { fulfilmentTableSql } from "./fulfilment-table.js";
