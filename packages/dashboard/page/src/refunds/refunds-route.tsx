import { createRoute, Link } from "@tanstack/react-router";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { useTexts } from "../language/catalogue.js";
import { ORDERS_TEXTS } from "../orders/messages.js";
import { Loaded } from "../ui/loaded.js";
import { UI_TEXTS } from "../ui/messages.js";
import { PageTitle } from "../ui/page-title.js";
import { Select } from "../ui/select.js";
import { Approvals } from "./approvals.js";
import { REFUNDS_TEXTS } from "./messages.js";
import { REFUND_STATUSES, useRefunds } from "./queries.js";
import { RefundsTable } from "./refunds-table.js";

/** The refunds of all orders. Those that wait for a person are first. */
export const refundsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/refunds",
  validateSearch: searchParams("status", "before", "tab", "mine", "asked"),
  component: RefundsView,
});

function RefundsView() {
  const { status, before, tab, mine, asked } = refundsRoute.useSearch();
  const texts = useTexts(REFUNDS_TEXTS);
  const statuses = useTexts(ORDERS_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const navigate = refundsRoute.useNavigate();
  const known = REFUND_STATUSES.find((one) => one === status);
  const query = useRefunds({ ...(known && { status: known }), ...(before && { before }) });
  return (
    <>
      <PageTitle title={texts.title} />
      <Approvals tab={tab === "decided" ? "decided" : "waiting"} mine={mine === "true"} before={asked} />
      <section aria-labelledby="refunds">
        <h2 id="refunds">{texts.refunds}</h2>
        <div className="filter-bar">
          <Select
            label={texts.status}
            value={known ?? ""}
            choices={[
              { value: "", label: ui.all },
              ...REFUND_STATUSES.map((value) => ({ value, label: statuses[value] })),
            ]}
            onChange={(chosen) => void navigate({ search: { status: chosen } })}
          />
        </div>
        <Loaded query={query}>
          {({ items, older }) => (
            <>
              <RefundsTable rows={items} />
              <nav className="pages" aria-label={texts.refunds}>
                {before !== undefined && (
                  <Link from="/refunds" to="/refunds" search={({ before: _before, ...rest }) => rest}>
                    ← {ui.newest}
                  </Link>
                )}
                {older !== undefined && (
                  <Link from="/refunds" to="/refunds" search={(now) => ({ ...now, before: older })}>
                    {ui.older} →
                  </Link>
                )}
              </nav>
            </>
          )}
        </Loaded>
      </section>
    </>
  );
}
