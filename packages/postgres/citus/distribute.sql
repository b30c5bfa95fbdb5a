-- Spreads the tables over the nodes of a Citus cluster. Run it once, on the coordinator, as the tables' owner, right after the migrations and with the
-- schema as search path (`set search_path to tillkit`). Tables that share a line of colocation are joined and changed together on one node.
-- `schema_migrations` stays on the coordinator: migrations are run there, and Citus carries what they change to the nodes.
-- Hosts on a cluster give `postgresStores` the option `grouping: { atMost: 1 }`: then each statement of a call goes to the node that has its row.

select create_reference_table('apps');
select create_reference_table('pay_tools');
select create_reference_table('service_types');
select create_reference_table('downloads_clients');
select create_distributed_table('orders', 'biz_no', colocate_with => 'none');
select create_distributed_table('timeline', 'biz_no', colocate_with => 'orders');
select create_distributed_table('refunds', 'biz_no', colocate_with => 'orders');
select create_distributed_table('bill_lines', 'run_id', colocate_with => 'none');
select create_distributed_table('bill_settlements', 'run_id', colocate_with => 'bill_lines');
select create_distributed_table('bill_exceptions', 'id', colocate_with => 'none');
select create_distributed_table('services', 'customer_identity', colocate_with => 'none');
select create_distributed_table('service_grants', 'customer_identity', colocate_with => 'services');
select create_distributed_table('auth_codes', 'phone_hash', colocate_with => 'none');
select create_distributed_table('customers', 'phone_hash', colocate_with => 'auth_codes');
select create_distributed_table('session_owners', 'customer_id', colocate_with => 'none');
select create_distributed_table('sessions', 'customer_id', colocate_with => 'session_owners');
select create_distributed_table('quotas', 'subject', colocate_with => 'none');
select create_distributed_table('quota_spacing', 'subject', colocate_with => 'quotas');
select create_distributed_table('downloads', 'app_id', colocate_with => 'none');
