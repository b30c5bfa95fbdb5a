import { toMigration } from "../migration.js";

/** Migration 0034-bill-remedies. Its SQL never changes, because databases store its checksum. */
export const billRemedies = toMigration(
  "0034-bill-remedies",
  `-- A resolved exception says how it was closed. An assigned one has the order that a person named.

alter table bill_exceptions add column remedy text collate "C";
comment on column bill_exceptions.remedy is 'How an operator closed it last: settle, assign or not-ours.';
comment on column bill_exceptions.app_id is 'App of the order, if there is one of this number, or if an operator assigned one.';

update bill_exceptions set remedy = 'settle' where operator is not null;
`,
);
