import { createRoute, Link } from "@tanstack/react-router";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { FilterBar } from "../filters/filter-bar.js";
import { areReadable, filterReader, withRefusal } from "../filters/filter-reader.js";
import { UnreadableChoices } from "../filters/unreadable-choices.js";
import { UnreadableFilters } from "../filters/unreadable-filters.js";
import { addDays, dayOf, isDay } from "../language/business-day.js";
import { useTexts } from "../language/catalogue.js";
import { serverTime } from "../language/server-time.js";
import { useMay, useSession } from "../session/session-context.js";
import { ExportButton } from "../ui/export-button.js";
import { Field } from "../ui/field.js";
import { PageTitle } from "../ui/page-title.js";
import { Tabs } from "../ui/tabs.js";
import { BillDays } from "./bill-days.js";
import { ExceptionFilterForm } from "./exception-filter-form.js";
import { Exceptions } from "./exceptions.js";
import { readExceptionFilters } from "./filters.js";
import { BILLS_TEXTS } from "./messages.js";
import { useBillDays } from "./queries.js";

/** The number of days that the view shows at first. */
const DAYS = 14;

/** The wallets' bills, and the differences between bills and records. */
export const billsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/bills",
  validateSearch: searchParams(
    "tab",
    "state",
    "day",
    "channel",
    "kind",
    "account",
    "order",
    "before",
    "from",
    "until",
  ),
  component: BillsView,
});

function BillsView() {
  const { tab, before, from, until, lang: _lang, ...shown } = billsRoute.useSearch();
  const texts = useTexts(BILLS_TEXTS);
  const may = useMay();
  const navigate = billsRoute.useNavigate();
  const { query, problems } = readExceptionFilters(shown);
  const isDays = tab === "days";
  const tabs = filterReader({ tab });
  tabs.choice("tab", "tab", ["exceptions", "days"]);
  const hasTab = areReadable(tabs.problems);
  return (
    <>
      <PageTitle title={texts.title}>
        {hasTab && !isDays && may("bill-exceptions.export") && (
          <ExportButton path="/api/bill-exceptions.csv" query={query} isReadable={areReadable(problems)} />
        )}
      </PageTitle>
      <Tabs label={texts.view}>
        <Link
          to="/bills"
          search={{ tab: "exceptions" }}
          aria-current={hasTab && !isDays ? "page" : undefined}
        >
          {texts.exceptions}
        </Link>
        <Link to="/bills" search={{ tab: "days" }} aria-current={isDays ? "page" : undefined}>
          {texts.days}
        </Link>
      </Tabs>
      <UnreadableChoices shown={{ tab }} problems={tabs.problems} />
      {isDays && <Days from={from} until={until} />}
      {hasTab && !isDays && (
        <>
          <ExceptionFilterForm
            shown={shown}
            problems={problems}
            onChange={(changed) => void navigate({ search: { ...changed, tab: "exceptions" } })}
          />
          <Exceptions
            key={JSON.stringify([shown, before])}
            filters={query}
            problems={problems}
            before={before}
          />
        </>
      )}
    </>
  );
}

interface DaysProps {
  readonly from: string | undefined;
  readonly until: string | undefined;
}

function Days(range: DaysProps) {
  const { timeZone } = useSession().policy;
  const yesterday = addDays(dayOf(serverTime(), timeZone), -1);
  const { until = yesterday } = range;
  const { from = addDays(isDay(until) ? until : yesterday, 1 - DAYS) } = range;
  const texts = useTexts(BILLS_TEXTS);
  const navigate = billsRoute.useNavigate();
  const shown = { from, until };
  const reader = filterReader(shown);
  const period = { ...reader.day("from", "from"), ...reader.day("until", "until") };
  reader.range("from", "until");
  const isReadable = areReadable(reader.problems);
  const query = useBillDays(period, isReadable);
  return (
    <>
      <FilterBar
        shown={shown}
        problems={withRefusal(reader.problems, query.error, reader.names)}
        onChange={(changed) => void navigate({ search: { ...changed, tab: "days" } })}
        isOpen
      >
        {({ day }) => (
          <>
            <div className="range">
              <Field label={texts.from} {...day("from")} />
              <Field label={texts.until} {...day("until")} />
            </div>
          </>
        )}
      </FilterBar>
      {isReadable ? <BillDays query={query} /> : <UnreadableFilters />}
    </>
  );
}
