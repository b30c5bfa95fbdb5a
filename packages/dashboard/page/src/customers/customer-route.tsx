import { createRoute, Link } from "@tanstack/react-router";
import { readPathSegment, writePathSegment } from "@tillkit/core/text";
import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { rootRoute } from "../app/root-route.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { OrdersTable } from "../orders/orders-table.js";
import { useSession } from "../session/session-context.js";
import { Copyable } from "../ui/copyable.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Figure } from "../ui/figure.js";
import { Loaded } from "../ui/loaded.js";
import { Money } from "../ui/money.js";
import { PageTitle } from "../ui/page-title.js";
import { Status } from "../ui/status.js";
import { Time } from "../ui/time.js";
import { CustomerActions, EndSessions } from "./customer-actions.js";
import { CUSTOMER_TEXTS } from "./messages.js";

type Customer = Schema<"Customer">;

/** The page of one customer of one app. */
export const customerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/customers/$appId/$customerIdentity",
  // An identity may be any text, but browsers remove segments such as `..` from an address.
  params: {
    parse: ({ appId, customerIdentity }) => ({
      appId: readPathSegment(appId) ?? "",
      customerIdentity: readPathSegment(customerIdentity) ?? "",
    }),
    stringify: ({ appId, customerIdentity }) => ({
      appId: writePathSegment(appId),
      customerIdentity: writePathSegment(customerIdentity),
    }),
  },
  component: CustomerView,
});

function CustomerView() {
  const key = customerRoute.useParams();
  const texts = useTexts(CUSTOMER_TEXTS);
  const { apps } = useSession();
  const query = useRead("/api/customers/{appId}/{customerIdentity}", { path: key });
  return (
    <Loaded query={query}>
      {(customer) => (
        <article>
          <PageTitle title={texts.title(customer.customerIdentity)} />
          <p className="order-state">
            <Copyable text={customer.customerIdentity} />
            <Link to="/orders" search={{ app: customer.appId }}>
              {apps.find(({ appId }) => appId === customer.appId)?.name ?? customer.appId}
            </Link>
          </p>
          <CustomerActions customer={customer} />
          <Sums customer={customer} />
          <Services customer={customer} />
          <Sessions customer={customer} />
          <CustomerOrders appId={customer.appId} customer={customer.customerIdentity} />
        </article>
      )}
    </Loaded>
  );
}

function Sums({ customer: { totals, sessions } }: { readonly customer: Customer }) {
  const texts = useTexts(CUSTOMER_TEXTS);
  const language = useLanguage();
  return (
    <section aria-label={texts.figures}>
      <dl className="figures">
        <Figure name={texts.paid} value={<Money cents={totals.paid} />} />
        <Figure name={texts.refunded} value={<Money cents={totals.refunded} />} />
        <Figure name={texts.sessions} value={formatNumber(sessions.length, language)} />
      </dl>
      {totals.isLeast && <p className="muted">{texts.newest(formatNumber(totals.orders, language))}</p>}
    </section>
  );
}

function Services({ customer: { services, now } }: { readonly customer: Customer }) {
  const texts = useTexts(CUSTOMER_TEXTS);
  const columns: readonly Column<Customer["services"][number]>[] = [
    { id: "service", header: texts.service, place: "first", cell: ({ serviceName }) => serviceName },
    {
      id: "number",
      header: texts.number,
      place: "second",
      cell: ({ serviceNo }) => <span className="mono">{serviceNo}</span>,
    },
    {
      id: "ends",
      header: texts.ends,
      place: "third",
      cell: ({ expireTime }) => (
        <>
          <Time at={expireTime} />{" "}
          <Status tone={expireTime > now ? "good" : "neutral"}>
            {expireTime > now ? texts.active : texts.ended}
          </Status>
        </>
      ),
    },
  ];
  return (
    <section aria-labelledby="services">
      <h2 id="services">{texts.services}</h2>
      <DataTable
        label={texts.services}
        columns={columns}
        rows={services}
        empty={<p>{texts.noServices}</p>}
        rowId={({ serviceTypeNo }) => serviceTypeNo}
      />
    </section>
  );
}

/** The live sessions of a customer who logs in by phone. */
function Sessions({ customer }: { readonly customer: Customer }) {
  const texts = useTexts(CUSTOMER_TEXTS);
  const { sessions } = customer;
  if (sessions.length === 0) return null;
  const columns: readonly Column<Customer["sessions"][number]>[] = [
    { id: "device", header: texts.device, place: "first", cell: ({ label, id }) => label ?? id },
    {
      id: "used",
      header: texts.lastUse,
      place: "second",
      cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />,
    },
    { id: "login", header: texts.login, place: "third", cell: ({ gmtCreate }) => <Time at={gmtCreate} /> },
    {
      id: "end",
      header: "",
      place: "third",
      cell: ({ id }) => <EndSessions customer={customer} sessionId={id} />,
    },
  ];
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">{texts.sessions}</h2>
      <DataTable
        label={texts.sessions}
        columns={columns}
        rows={sessions}
        empty={null}
        rowId={({ id }) => id}
      />
      <p className="after">
        <EndSessions customer={customer} />
      </p>
    </section>
  );
}

/** The newest orders of the customer. */
function CustomerOrders({ appId, customer }: { readonly appId: string; readonly customer: string }) {
  const texts = useTexts(CUSTOMER_TEXTS);
  const query = useRead("/api/orders", { query: { appId, customer } });
  return (
    <section aria-labelledby="orders">
      <h2 id="orders">{texts.orders}</h2>
      <Loaded query={query}>
        {({ items }) => <OrdersTable rows={items} empty={<p>{texts.noOrders}</p>} />}
      </Loaded>
      <p className="after">
        <Link to="/orders" search={{ app: appId, customer }}>
          {texts.allOrders} →
        </Link>
      </p>
    </section>
  );
}
