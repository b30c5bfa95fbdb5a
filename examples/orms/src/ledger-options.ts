import type { TransactionalHandlerOptions } from "@tillkit/postgres";

/** The client and the schema of Tillkit's stores. */
export type LedgerOptions = Pick<TransactionalHandlerOptions, "sql" | "schema">;
