import type { SqlStatement } from "../sql/sql-client.js";
import { statement } from "../sql/statement.js";
import type { Tables } from "../sql/tables.js";

/**
 * The statements on the services of a customer. `$1` and `$2` identify the customer.
 *
 * A grant records the time that one order has added to a service.
 */
export interface ServiceStatements {
  /** Returns a row if the order has added its time. Further placeholders: type, order id. */
  readonly findGrant: SqlStatement;
  /**
   * Adds the purchased time of an order without storing its grant. Returns the `seq` of the grant.
   *
   * Further placeholders: type, `serviceNo` of a new service, name, time, milliseconds.
   */
  readonly addTime: SqlStatement;
  /** Further placeholders: type, order id, `seq`, time, milliseconds. */
  readonly insertGrant: SqlStatement;
  /** Locks the service. Further placeholder: type. */
  readonly lock: SqlStatement;
  /**
   * Takes back the time of an order. The service must be locked.
   *
   * Further placeholders: type, order id.
   */
  readonly takeBack: SqlStatement;
  readonly list: SqlStatement;
  /**
   * Stores a service with its imported time. Returns the stored service, and whether it is new.
   *
   * Returns no row if a concurrent call stored it meanwhile. A second run then finds the row.
   *
   * Further placeholders: type, number, name, end, start.
   */
  readonly importOnce: SqlStatement;
  /** Like `importOnce`, but stores no grant, and returns no row for an existing service. */
  readonly insert: SqlStatement;
  /** Further placeholder: type. */
  readonly find: SqlStatement;
  /** Returns a row if the service was imported and never extended. Further placeholder: type. */
  readonly findUntouched: SqlStatement;
  /**
   * Replaces a service that was imported and never extended, but not its grant. Returns its type.
   *
   * Further placeholders: type, number, name, end, start.
   */
  readonly replaceImported: SqlStatement;
  /** Removes the imported time. Further placeholder: type. */
  readonly removeImported: SqlStatement;
  /** Placeholders: customer, app and type of the last service before the page, limit. */
  readonly listAll: SqlStatement;
  /** Like `listAll`, for the services of one app, which is the last placeholder. */
  readonly listAllOfApp: SqlStatement;
}

/** Creates the statements on services over `tables`. */
export function serviceStatements({ services, service_grants: grants }: Tables): ServiceStatements {
  const key = "customer_identity, app_id, service_type_no";
  const columns = `${key}, service_no, service_name, expire_ms, created_ms`;
  const page = (more: string) =>
    `select ${columns} from ${services} where (${key}) > ($1, $2, $3)${more} order by ${key} limit $4`;
  // The rule is `extendedExpireTime` in `services/service-time.ts` of `@tillkit/core`.
  const addTime = `on conflict (${key}) do update
    set expire_ms = greatest(held.expire_ms, $6::bigint) + $7::bigint, grants_made = held.grants_made + 1
    returning grants_made`;
  const unlessStored = `on conflict do nothing returning ${columns}`;
  const ofType = "customer_identity = $1 and app_id = $2 and service_type_no = $3";
  // A refund removes the grant of its order, but `grants_made` still counts this grant.
  const untouched = `grants_made = 1 and exists (select from ${grants} where ${ofType} and order_id = '')`;
  return {
    findGrant: statement("service_find_grant", `select seq from ${grants} where ${ofType} and order_id = $4`),
    addTime: statement(
      "service_add_time",
      `insert into ${services} as held
         (customer_identity, app_id, service_type_no, service_no, service_name, expire_ms, grants_made, created_ms)
       values ($1, $2, $3, $4, $5, $6::bigint + $7::bigint, 1, $6::bigint)
       ${addTime}`,
    ),
    insertGrant: statement(
      "service_insert_grant",
      `insert into ${grants} (customer_identity, app_id, service_type_no, order_id, seq, granted_ms, duration_ms)
       values ($1, $2, $3, $4, $5, $6, $7)`,
    ),
    lock: statement("service_lock", `select service_no from ${services} where ${ofType} for update`),
    // The rule is `expireTimeOf` in `services/service-time.ts` of `@tillkit/core`: each grant gives
    // an end, its time plus its duration plus all later durations. The latest end counts.
    takeBack: statement(
      "service_take_back",
      `with gone as (
         delete from ${grants} where ${ofType} and order_id = $4 returning order_id
       ), remaining as (
         select granted_ms + sum(duration_ms) over (order by seq desc) as until_ms
         from ${grants} where ${ofType} and order_id <> $4
       )
       update ${services} set expire_ms = coalesce((select max(until_ms) from remaining), created_ms)
       where ${ofType} and exists (select from gone)`,
    ),
    // Sorts as `ServiceStore.list` requires.
    list: statement(
      "service_list",
      `select ${columns} from ${services} where customer_identity = $1 and app_id = $2
       order by created_ms, service_type_no`,
    ),
    // The grant without an order is the imported time. No order has an empty id.
    importOnce: statement(
      "service_import_once",
      `with made as (
         insert into ${services} (${columns}, grants_made) values ($1, $2, $3, $4, $5, $6, $7, 1)
         ${unlessStored}
       ), granted as (
         insert into ${grants} (${key}, order_id, seq, granted_ms, duration_ms)
         select ${key}, '', 1, created_ms, expire_ms - created_ms from made
       )
       select ${columns}, true as inserted from made
       union all
       select ${columns}, false from ${services} where ${ofType} and not exists (select from made)`,
    ),
    insert: statement(
      "service_insert",
      `insert into ${services} (${columns}, grants_made) values ($1, $2, $3, $4, $5, $6, $7, 1)
       ${unlessStored}`,
    ),
    find: statement("service_find", `select ${columns} from ${services} where ${ofType}`),
    findUntouched: statement(
      "service_find_untouched",
      `select service_type_no from ${services} where ${ofType} and ${untouched}`,
    ),
    replaceImported: statement(
      "service_replace_imported",
      `update ${services} set service_no = $4, service_name = $5, expire_ms = $6, created_ms = $7
       where ${ofType} and ${untouched} returning service_type_no`,
    ),
    removeImported: statement(
      "service_remove_imported",
      `delete from ${grants} where ${ofType} and order_id = ''`,
    ),
    listAll: statement("service_list_all", page("")),
    listAllOfApp: statement("service_list_all_of_app", page(" and app_id = $5")),
  };
}
