import { toMigration } from "../migration.js";

/** Migration 0037-exceptions-by-key. Its SQL never changes: databases store its checksum. */
export const exceptionsByKey = toMigration(
  "0037-exceptions-by-key",
  `-- An export and an erasure of a customer find the exceptions that an operator assigned to an order.

create index bill_exceptions_of_order_key on bill_exceptions (biz_no, app_id, state, created_ms, id) where biz_no is not null;
comment on index bill_exceptions_of_order_key is 'The exceptions that name one order in one state, in the order of lists.';
comment on column bill_exceptions.note is 'What they found out; empty after its erasure.';
`,
);
