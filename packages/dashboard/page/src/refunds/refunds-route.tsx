import { createRoute } from "@tanstack/react-router";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { useTexts } from "../language/catalogue.js";
import { useSession } from "../session/session-context.js";
import { PageTitle } from "../ui/page-title.js";
import { Approvals } from "./approvals.js";
import { readRefundFilters } from "./filters.js";
import { REFUNDS_TEXTS } from "./messages.js";
import { RefundList } from "./refund-list.js";

/** The refunds of all orders. Refunds that wait for a person are first. */
export const refundsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/refunds",
  validateSearch: searchParams(
    "app",
    "status",
    "number",
    "operator",
    "from",
    "until",
    "confirmedFrom",
    "confirmedUntil",
    "channel",
    "min",
    "max",
    "before",
    "tab",
    "mine",
    "notMade",
    "asked",
  ),
  component: RefundsView,
});

function RefundsView() {
  const search = refundsRoute.useSearch();
  const { before, tab, mine, notMade, asked: _asked, lang: _lang, ...shown } = search;
  const ofApprovals = { ...(tab && { tab }), ...(mine && { mine }), ...(notMade && { notMade }) };
  const texts = useTexts(REFUNDS_TEXTS);
  const navigate = refundsRoute.useNavigate();
  const { policy, apps } = useSession();
  const appIds = apps.map(({ appId }) => appId);
  const { query, problems, names } = readRefundFilters(shown, policy.timeZone, appIds);
  return (
    <>
      <PageTitle title={texts.title} />
      <Approvals search={search} />
      <RefundList
        shown={shown}
        filters={query}
        problems={problems}
        names={names}
        before={before}
        onChange={(changed) => void navigate({ search: { ...changed, ...ofApprovals } })}
      />
    </>
  );
}
