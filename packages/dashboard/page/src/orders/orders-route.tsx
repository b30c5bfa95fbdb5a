import { createRoute, Link } from "@tanstack/react-router";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { useTexts } from "../language/catalogue.js";
import { formatCount } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useMay, useSession } from "../session/session-context.js";
import { DownloadLink } from "../ui/download-link.js";
import { Loaded } from "../ui/loaded.js";
import { UI_TEXTS } from "../ui/messages.js";
import { PageTitle } from "../ui/page-title.js";
import { filtersOf } from "./filters.js";
import { ORDERS_TEXTS } from "./messages.js";
import { OrderFilterForm } from "./order-filter-form.js";
import { OrdersTable } from "./orders-table.js";
import { useOrders } from "./queries.js";

/** The list of orders. Its address contains the filters and the page. */
export const ordersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/orders",
  validateSearch: searchParams(
    ...(["app", "status", "channel", "from", "until", "paidFrom", "paidUntil"] as const),
    ...(["min", "max", "customer", "alarm", "before"] as const),
  ),
  component: OrdersView,
});

function OrdersView() {
  const search = ordersRoute.useSearch();
  const texts = useTexts(ORDERS_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const language = useLanguage();
  const may = useMay();
  const { timeZone } = useSession().policy;
  const navigate = ordersRoute.useNavigate();
  const { before, lang: _lang, ...shown } = search;
  const filters = filtersOf(shown, timeZone);
  const query = useOrders({ ...filters, ...(before === undefined ? {} : { before }) });
  return (
    <>
      <PageTitle title={texts.title}>
        {may("orders.export") && (
          <DownloadLink path="/api/orders.csv" query={{ ...filters }}>
            {texts.export}
          </DownloadLink>
        )}
      </PageTitle>
      <OrderFilterForm
        key={JSON.stringify(shown)}
        shown={shown}
        onChange={(changed) => void navigate({ search: changed })}
      />
      <Loaded query={query}>
        {({ items, older, total }) => (
          <>
            {total !== undefined && (
              <p className="muted" role="status">
                {texts.count(formatCount(total, language))}
              </p>
            )}
            <OrdersTable rows={items} empty={<NoOrders areOlderLeft={older !== undefined} />} />
            <nav className="pages" aria-label={texts.list}>
              {before !== undefined && (
                <Link from="/orders" to="/orders" search={({ before: _before, ...rest }) => rest}>
                  ← {ui.newest}
                </Link>
              )}
              {older !== undefined && (
                <Link from="/orders" to="/orders" search={(now) => ({ ...now, before: older })}>
                  {ui.older} →
                </Link>
              )}
            </nav>
          </>
        )}
      </Loaded>
    </>
  );
}

/** One page examines a limited number of orders, so older orders may still match. */
function NoOrders({ areOlderLeft }: { readonly areOlderLeft: boolean }) {
  const texts = useTexts(ORDERS_TEXTS);
  if (areOlderLeft) return <p>{texts.noneYet}</p>;
  return (
    <>
      <p>{texts.none}</p>
      <p className="muted">{texts.noneHelp}</p>
      <Link to="/orders">{texts.clear}</Link>
    </>
  );
}
