import { createRoute, Link } from "@tanstack/react-router";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { addDays, dayOf } from "../language/business-day.js";
import { useTexts } from "../language/catalogue.js";
import { useSession } from "../session/session-context.js";
import { Field } from "../ui/field.js";
import { FilterBar } from "../ui/filter-bar.js";
import { PageTitle } from "../ui/page-title.js";
import { Select } from "../ui/select.js";
import { Tabs } from "../ui/tabs.js";
import { BillDays } from "./bill-days.js";
import { Exceptions } from "./exceptions.js";
import { BILLS_TEXTS } from "./messages.js";
import { EXCEPTION_STATES } from "./queries.js";

/** Days that are shown first. */
const DAYS = 14;

/** The wallets' bills and what does not agree with them. */
export const billsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/bills",
  validateSearch: searchParams(...(["tab", "state", "before", "from", "until"] as const)),
  component: BillsView,
});

function BillsView() {
  const { tab = "exceptions" } = billsRoute.useSearch();
  const texts = useTexts(BILLS_TEXTS);
  return (
    <>
      <PageTitle title={texts.title} />
      <Tabs label={texts.view}>
        <Link to="/bills" search={{ tab: "exceptions" }} aria-current={tab === "days" ? undefined : "page"}>
          {texts.exceptions}
        </Link>
        <Link to="/bills" search={{ tab: "days" }} aria-current={tab === "days" ? "page" : undefined}>
          {texts.days}
        </Link>
      </Tabs>
      {tab === "days" ? <Days /> : <ExceptionsTab />}
    </>
  );
}

function Days() {
  const { timeZone } = useSession().policy;
  const yesterday = addDays(dayOf(Date.now(), timeZone), -1);
  const { until = yesterday, from = addDays(until, 1 - DAYS) } = billsRoute.useSearch();
  const texts = useTexts(BILLS_TEXTS);
  const navigate = billsRoute.useNavigate();
  const shown = { from, until };
  return (
    <>
      <FilterBar
        key={JSON.stringify(shown)}
        shown={shown}
        onChange={(changed) => void navigate({ search: { ...changed, tab: "days" } })}
      >
        {({ type }) => (
          <>
            <Field label={texts.from} type="date" {...type("from")} />
            <Field label={texts.until} type="date" {...type("until")} />
          </>
        )}
      </FilterBar>
      <BillDays {...shown} />
    </>
  );
}

function ExceptionsTab() {
  const { state: asked, before } = billsRoute.useSearch();
  const texts = useTexts(BILLS_TEXTS);
  const navigate = billsRoute.useNavigate();
  const state = EXCEPTION_STATES.find((one) => one === asked) ?? "OPEN";
  return (
    <>
      <div className="filter-bar">
        <Select
          label={texts.state}
          value={state}
          choices={EXCEPTION_STATES.map((value) => ({ value, label: texts[value] }))}
          onChange={(value) => void navigate({ search: { tab: "exceptions", state: value } })}
        />
      </div>
      <Exceptions state={state} before={before} />
    </>
  );
}
