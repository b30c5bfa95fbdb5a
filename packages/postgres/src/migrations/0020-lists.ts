import { toMigration } from "../migration.js";

/** Migration 0020-lists. Its SQL never changes, because databases store its checksum. */
export const lists = toMigration(
  "0020-lists",
  `-- Operators filter refunds, bill exceptions and the audit log. Each list begins with a condition that an index serves.

create index refunds_of_operator on refunds (operator, created_ms, biz_no, app_id, refund_no);
create index refunds_of_number on refunds (refund_no, created_ms, biz_no, app_id);
create index refunds_of_wallet_number on refunds (wallet_refund_no, created_ms, biz_no, app_id, refund_no) where wallet_refund_no is not null;
comment on index refunds_of_operator is 'The refunds that one operator requested, in the order of lists.';
comment on index refunds_of_number is 'The refunds of all orders with one number, in the order of lists.';
comment on index refunds_of_wallet_number is 'The refund with a number of the wallet.';

drop index audit_log_by_operator;
drop index audit_log_by_subject;
drop index audit_log_by_app;
create index audit_log_by_time on audit_log (at_ms, seq);
create index audit_log_by_operator on audit_log (operator, at_ms, seq);
create index audit_log_by_subject on audit_log (subject, at_ms, seq);
create index audit_log_by_subject_name on audit_log (coalesce(substring(subject from '^[^:]*:(?:[^/]*/)?(.*)$'), subject), at_ms, seq);
create index audit_log_by_action on audit_log (action, at_ms, seq);
create index audit_log_by_outcome on audit_log (outcome, at_ms, seq) where outcome <> 'done';
create index audit_log_by_app on audit_log (app_id, at_ms, seq) where app_id is not null;
comment on index audit_log_by_time is 'The entries of a time range.';
comment on index audit_log_by_operator is 'The entries of an operator, in the order of lists.';
comment on index audit_log_by_subject is 'The entries about one subject, in the order of lists.';
comment on index audit_log_by_subject_name is 'The entries about a number or a name, such as an order''s number, in the order of lists.';
comment on index audit_log_by_action is 'The entries of an action, in the order of lists.';
comment on index audit_log_by_outcome is 'The entries that were refused or failed, in the order of lists.';
comment on index audit_log_by_app is 'The entries of an app, in the order of lists.';

create index bill_exceptions_of_day on bill_exceptions (day, state, created_ms, id);
comment on index bill_exceptions_of_day is 'The exceptions of one day in one state, in the order of lists.';
`,
);
