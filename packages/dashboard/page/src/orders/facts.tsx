import type { ReactNode } from "react";
import { useTexts } from "../language/catalogue.js";
import { ChannelOnWire } from "../ui/channel.js";
import { Copyable } from "../ui/copyable.js";
import { Time } from "../ui/time.js";
import { ORDERS_TEXTS } from "./messages.js";
import type { OrderPage } from "./queries.js";

/** What is known about an order. Every text of a customer or caller is shown as text. */
export function Facts({ order }: { readonly order: OrderPage["order"] }) {
  const texts = useTexts(ORDERS_TEXTS);
  const { service, attachData, pmtDt } = order;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [texts.goodsTitle, order.goodsTitle],
    [texts.customer, order.customerIdentity === "" ? undefined : <Copyable text={order.customerIdentity} />],
    [texts.customerName, order.customerName],
    [texts.app, order.appId],
    [texts.channel, <ChannelOnWire channel={order.payChannel} />],
    [texts.paySource, order.paySource],
    [
      texts.walletTradeNo,
      order.walletTradeNo === undefined ? undefined : <Copyable text={order.walletTradeNo} />,
    ],
    [texts.id, <Copyable text={order.id} />],
    [texts.created, <Time at={order.gmtCreate} />],
    [texts.paidAt, pmtDt === undefined ? undefined : <Time at={pmtDt} />],
    [texts.expires, <Time at={order.expiresAt} />],
    [texts.changed, <Time at={order.gmtModified} />],
    [texts.service, service === undefined ? undefined : `${service.serviceName} (${service.serviceTypeNo})`],
    [texts.sourceFrom, order.sourceFrom],
    [texts.payTool, order.payToolId === "" ? undefined : order.payToolId],
  ];
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">{texts.facts}</h2>
      <dl className="facts">
        {rows
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {attachData !== undefined && (
        <details>
          <summary>{texts.attachData}</summary>
          <pre>{attachData}</pre>
        </details>
      )}
    </section>
  );
}
