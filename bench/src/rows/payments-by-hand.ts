import type { z } from "zod";
import { databaseAlone } from "../harness/database-alone.js";
import type { Contestant } from "../harness/row.js";
import { supplied } from "../harness/supplied.js";
import type { databaseWork } from "../servers/database-work.js";
import { openByHand, settle } from "../shop/fill-orders.js";
import { fillPendingOrders, type NotifiedShop } from "../shop/fill-pending-orders.js";
import { POOL_MAX, SCHEMA } from "../shop/shop-facts.js";

/** A signature, which is verified for each payment. */
type Check = NonNullable<z.input<typeof databaseWork>["check"]>;

/** More payments per second than a first round reaches. */
const PER_SECOND = 16_000;
/** The prefixes of the order numbers of both contestants. */
const [BATCHED_NAME, SINGLE_NAME] = ["G", "H"];

/** The name of the contestant of {@link batchedPayments}. */
export const BATCHED = "one RSA-2048 check each and one transaction per turn";

/**
 * Verifies a signature per payment. One transaction stores the payments of one event loop turn.
 *
 * Changes the same rows of Tillkit's tables as Tillkit: the order and its timeline.
 */
export async function batchedPayments(shop: NotifiedShop, check: Check): Promise<Contestant> {
  const { databaseUrl, appId } = shop.facts;
  const now = Date.now();
  const text = `
    with given as (
      select v0 as biz_no, v1 as evidence from json_to_recordset($1::text::json) as given (v0 text, v1 text)
    ), paid as (
      update ${SCHEMA}.orders o set payment_status = 'PAID', modified_ms = ${now}, paid_ms = ${now},
        wallet_trade_no = o.id, next_query_ms = null, timeline_seq = o.timeline_seq + 1,
        timeline_hash = sha256(o.timeline_hash || given.evidence::bytea)
      from given
      where o.biz_no = given.biz_no and o.app_id = '${appId}' and o.payment_status = 'PENDING'
      returning o.biz_no, o.app_id, o.timeline_seq, o.timeline_hash, given.evidence
    )
    insert into ${SCHEMA}.timeline
      (biz_no, app_id, seq, type, at_ms, actor, reason, details, from_status, to_status, evidence_sha256, alarm, hash)
    select biz_no, app_id, timeline_seq, 'PAID', ${now}, 'wallet', '', '{"source":"notification"}',
      'PENDING', 'PAID', sha256(evidence::bytea), false, timeline_hash from paid`;
  const alone = await databaseAlone(BATCHED, {
    databaseUrl,
    connections: POOL_MAX,
    batched: true,
    check,
    steps: [{ text, values: [`${BATCHED_NAME}-{n}`, check.signature.slice(0, EVIDENCE_LENGTH)] }],
  });
  return supplied(alone, {
    perSecond: PER_SECOND,
    prepare: (first, last) => fillPendingOrders(shop, { name: BATCHED_NAME, first, last, service: false }),
  });
}

/** The length of the evidence that Tillkit stores, a SHA-256 digest. */
const EVIDENCE_LENGTH = 64;

/** Verifies a signature and writes two tables in one statement for each payment. */
export async function singlePayments(shop: NotifiedShop, check: Check): Promise<Contestant> {
  const { sql, facts } = shop;
  await openByHand(shop);
  await sql.script(
    "create table payments_by_hand (app_id text, biz_no text, paid_ms bigint not null, evidence text not null, primary key (app_id, biz_no))",
  );
  const prepare = async (first: number, last: number): Promise<void> => {
    await sql.script(
      `insert into orders_by_hand
         (app_id, biz_no, id, customer_identity, amount_cents, goods_title, pay_channel, payment_status, created_ms, modified_ms)
       select '${facts.appId}', '${SINGLE_NAME}-' || n, '${SINGLE_NAME}' || n, 'u-' || n, 600, 'One month', '${shop.payChannel}', 'PENDING', 0, 0
       from generate_series(${first}, ${last}) as n`,
    );
    await settle(shop);
  };
  const alone = await databaseAlone("one RSA-2048 check and one transaction", {
    databaseUrl: facts.databaseUrl,
    connections: POOL_MAX,
    check,
    steps: [
      {
        text: `
          with paid as (
            update orders_by_hand set payment_status = 'PAID', paid_ms = $3::bigint, modified_ms = $3::bigint
            where app_id = $1 and biz_no = $2 and payment_status = 'PENDING' returning app_id, biz_no)
          insert into payments_by_hand (app_id, biz_no, paid_ms, evidence) select app_id, biz_no, $3::bigint, $4::text from paid`,
        values: [facts.appId, `${SINGLE_NAME}-{n}`, `${Date.now()}`, check.signature],
      },
    ],
  });
  return supplied(alone, { perSecond: PER_SECOND, prepare });
}
