import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTexts } from "../language/catalogue.js";
import { useMay, useSession } from "../session/session-context.js";
import { ChannelOnWire } from "../ui/channel.js";
import { Copyable } from "../ui/copyable.js";
import { Time } from "../ui/time.js";
import { ORDERS_TEXTS } from "./messages.js";
import { ShipmentStatus } from "./order-status.js";
import type { OrderPage } from "./queries.js";

/** What is known about an order. Texts of customers and callers are never shown as markup. */
export function Facts({ page: { order, shipment } }: { readonly page: OrderPage }) {
  const texts = useTexts(ORDERS_TEXTS);
  const { apps } = useSession();
  const may = useMay();
  const { service, attachData, walletOptions, pmtDt } = order;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [texts.goodsTitle, order.goodsTitle],
    [texts.customer, order.customerIdentity === "" ? undefined : <CustomerLink order={order} />],
    [texts.customerName, order.customerName],
    [
      texts.app,
      <Link to="/orders" search={{ app: order.appId }}>
        {apps.find(({ appId }) => appId === order.appId)?.name ?? order.appId}
      </Link>,
    ],
    [texts.channel, <ChannelOnWire channel={order.payChannel} />],
    [texts.paySource, order.paySource],
    [
      texts.walletTradeNo,
      order.walletTradeNo === undefined ? undefined : <Copyable text={order.walletTradeNo} />,
    ],
    [texts.id, <Copyable text={order.id} />],
    [texts.created, <Time at={order.gmtCreate} />],
    [texts.paidAt, pmtDt === undefined ? undefined : <Time at={pmtDt} />],
    [texts.shipment, shipment === undefined ? undefined : <ShipmentStatus state={shipment.state} />],
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
      {may("audit.read") && (
        <p className="after">
          <Link to="/audit" search={{ subject: `order:${order.appId}/${order.bizNo}` }}>
            {texts.auditEntries} →
          </Link>
        </p>
      )}
      <p className="after">
        <Link to="/bills" search={{ order: order.id }}>
          {texts.billExceptions} →
        </Link>
      </p>
      {walletOptions !== undefined && (
        <details>
          <summary>{texts.walletOptions}</summary>
          <pre>{JSON.stringify(walletOptions, null, 2)}</pre>
        </details>
      )}
      {attachData !== undefined && (
        <details>
          <summary>{texts.attachData}</summary>
          <pre>{attachData}</pre>
        </details>
      )}
    </section>
  );
}

/** The customer of an order, with a link to the customer's page. */
function CustomerLink({ order: { appId, customerIdentity } }: { readonly order: OrderPage["order"] }) {
  return (
    <Copyable text={customerIdentity}>
      <Link to="/customers/$appId/$customerIdentity" params={{ appId, customerIdentity }}>
        {customerIdentity}
      </Link>
    </Copyable>
  );
}
