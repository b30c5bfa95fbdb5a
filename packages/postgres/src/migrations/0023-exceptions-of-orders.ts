import { toMigration } from "../migration.js";

/** Migration 0023-exceptions-of-orders. Its SQL never changes: databases store its checksum. */
export const exceptionsOfOrders = toMigration(
  "0023-exceptions-of-orders",
  `-- The page of an order leads to the bill exceptions of this order.

create index bill_exceptions_of_order on bill_exceptions (out_trade_no, state, created_ms, id);
comment on index bill_exceptions_of_order is 'The exceptions of one order in one state, in the order of lists.';
`,
);
