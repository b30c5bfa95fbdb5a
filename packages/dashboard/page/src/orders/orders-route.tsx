import { createRoute, Link } from "@tanstack/react-router";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { areReadable, withRefusal } from "../filters/filter-reader.js";
import { useDayChoices } from "../filters/day-choices.js";
import { FILTER_TEXTS } from "../filters/messages.js";
import { QuickChoices } from "../filters/quick-choices.js";
import { UnreadableFilters } from "../filters/unreadable-filters.js";
import { useTexts } from "../language/catalogue.js";
import { formatCount } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useMay, useSession } from "../session/session-context.js";
import { ExportButton } from "../ui/export-button.js";
import { Loaded } from "../ui/loaded.js";
import { UI_TEXTS } from "../ui/messages.js";
import { PageTitle } from "../ui/page-title.js";
import { Pages } from "../ui/pages.js";
import { readOrderFilters, type ShownOrderFilters, STATUSES } from "./filters.js";
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
  const { before, lang: _lang, ...shown } = ordersRoute.useSearch();
  const texts = useTexts(ORDERS_TEXTS);
  const language = useLanguage();
  const may = useMay();
  const { policy, apps } = useSession();
  const navigate = ordersRoute.useNavigate();
  const appIds = apps.map(({ appId }) => appId);
  const { query: filters, problems, names } = readOrderFilters(shown, policy.timeZone, appIds);
  const isReadable = areReadable(problems);
  const query = useOrders({ ...filters, ...(before === undefined ? {} : { before }) }, isReadable);
  const shownProblems = withRefusal(problems, query.error, names);
  return (
    <>
      <PageTitle title={texts.title}>
        {may("orders.export") && (
          <ExportButton path="/api/orders.csv" query={filters} isReadable={areReadable(shownProblems)} />
        )}
      </PageTitle>
      <OrderChoices shown={shown} />
      <OrderFilterForm
        shown={shown}
        problems={shownProblems}
        onChange={(changed) => void navigate({ search: changed })}
      />
      {isReadable ? (
        <>
          <Loaded query={query}>
            {({ items, older, total }) => (
              <>
                {total !== undefined && (
                  <p className="muted count" role="status">
                    {texts.count(formatCount(total, language))}
                  </p>
                )}
                <OrdersTable rows={items} empty={<NoOrders areOlderLeft={older !== undefined} />} />
              </>
            )}
          </Loaded>
          <Pages label={texts.list} before={before} older={query.data?.older} />
        </>
      ) : (
        <UnreadableFilters />
      )}
    </>
  );
}

/** Links for the statuses and days that operators need most often. */
function OrderChoices({ shown }: { readonly shown: ShownOrderFilters }) {
  const texts = useTexts(ORDERS_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const filters = useTexts(FILTER_TEXTS);
  const days = useDayChoices();
  const none = { status: undefined, alarm: undefined };
  return (
    <div className="quick-rows">
      <QuickChoices
        label={filters.often}
        shown={shown}
        choices={[
          { label: ui.all, values: none },
          ...STATUSES.map((status) => ({ label: texts[status], values: { ...none, status } })),
          { label: texts.alarmWord, values: { ...none, alarm: "true" } },
        ]}
      />
      <QuickChoices label={filters.days} shown={shown} choices={days} />
    </div>
  );
}

/**
 * The text for a page without orders.
 *
 * A page examines a limited number of orders, so older orders may still match.
 */
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
