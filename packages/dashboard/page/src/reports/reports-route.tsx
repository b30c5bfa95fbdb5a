import { createRoute, Link } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { FilterBar, type FilterBinding } from "../filters/filter-bar.js";
import { areReadable, filterReader, withRefusal } from "../filters/filter-reader.js";
import { QuickChoices } from "../filters/quick-choices.js";
import { UnreadableFilters } from "../filters/unreadable-filters.js";
import { addMonths, dayOf, isDay } from "../language/business-day.js";
import { useTexts } from "../language/catalogue.js";
import { serverTime } from "../language/server-time.js";
import { CHANNELS } from "../orders/filters.js";
import { useMay, useSession } from "../session/session-context.js";
import { useChannelName } from "../ui/channel.js";
import { ExportButton } from "../ui/export-button.js";
import { Field } from "../ui/field.js";
import { Loaded } from "../ui/loaded.js";
import { UI_TEXTS } from "../ui/messages.js";
import { PageTitle } from "../ui/page-title.js";
import { Select } from "../ui/select.js";
import { REPORTS_TEXTS } from "./messages.js";
import { addPeriods } from "./periods.js";
import { ReportProblems } from "./report-problems.js";
import { ReportAccounts, ReportBalances, ReportDays, ReportTotals } from "./report-sums.js";

/** The view of the reports: the sums of the wallets' bills of a month or day, for bookkeeping. */
export const reportsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/reports",
  validateSearch: searchParams("period", "app", "channel", "account", "gateway"),
  component: ReportsView,
});

function ReportsView() {
  const { lang: _lang, ...search } = reportsRoute.useSearch();
  const texts = useTexts(REPORTS_TEXTS);
  const may = useMay();
  const { apps, policy } = useSession();
  const navigate = reportsRoute.useNavigate();
  // The last month that is over.
  const { period = addMonths(dayOf(serverTime(), policy.timeZone).slice(0, 7), -1) } = search;
  const shown = { ...search, period };
  const reader = filterReader(shown);
  const asked = {
    period,
    ...reader.period("period", "period"),
    ...reader.choice(
      "appId",
      "app",
      apps.map(({ appId }) => appId),
    ),
    ...reader.choice("payChannel", "channel", CHANNELS),
    ...reader.text("accountId", "account"),
    ...reader.choice("appEnv", "gateway", ["PROD", "DEV"]),
  };
  const isReadable = areReadable(reader.problems);
  const query = useRead("/api/bill-report", { query: asked }, { keepsPrevious: true, isEnabled: isReadable });
  const problems = withRefusal(reader.problems, query.error, reader.names);
  const file = { path: "/api/bill-report.csv", isReadable: areReadable(problems) };
  return (
    <>
      <PageTitle title={texts.title}>
        {may("settlements.export") && (
          <>
            <ExportButton
              {...file}
              label={texts.csv}
              query={asked}
              fileName={`bill-report-${asked.period}.csv`}
            />
            <ExportButton
              {...file}
              label={texts.csvLines}
              query={{ ...asked, lines: "true" }}
              fileName={`bill-report-${asked.period}-lines.csv`}
            />
          </>
        )}
      </PageTitle>
      {isReadable && <Periods period={asked.period} />}
      <FilterBar
        shown={shown}
        problems={problems}
        onChange={(changed) => void navigate({ search: changed })}
        isOpen
      >
        {({ type, choose }) => (
          <>
            <Field
              label={isDay(period) ? texts.day : texts.month}
              type={problems["period"] === "period" ? "text" : isDay(period) ? "date" : "month"}
              {...type("period")}
            />
            <Choices choose={choose} />
            <Field label={texts.account} maxLength={64} {...type("account")} />
          </>
        )}
      </FilterBar>
      {isReadable ? (
        <Loaded query={query}>{(report) => <Report report={report} />}</Loaded>
      ) : (
        <UnreadableFilters />
      )}
    </>
  );
}

/** The links to the period before and after, and from a day to its month. */
function Periods({ period }: { readonly period: string }) {
  const texts = useTexts(REPORTS_TEXTS);
  const [before, after] = [addPeriods(period, -1), addPeriods(period, 1)];
  const month = period.slice(0, 7);
  return (
    <div className="quick-rows">
      <QuickChoices
        label={texts.periods}
        shown={{ period }}
        choices={[
          { label: `← ${before}`, values: { period: before } },
          { label: period, values: { period } },
          { label: `${after} →`, values: { period: after } },
          ...(isDay(period) ? [{ label: texts.wholeMonth(month), values: { period: month } }] : []),
        ]}
      />
    </div>
  );
}

interface ChoicesProps {
  readonly choose: (name: "app" | "channel" | "gateway") => FilterBinding;
}

/** The filters that apply at once. */
function Choices({ choose }: ChoicesProps) {
  const texts = useTexts(REPORTS_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const { apps } = useSession();
  const channelName = useChannelName();
  const all = { value: "", label: ui.all };
  return (
    <>
      <Select
        label={texts.app}
        choices={[all, ...apps.map(({ appId, name }) => ({ value: appId, label: name }))]}
        {...choose("app")}
      />
      <Select
        label={texts.channel}
        choices={[all, ...CHANNELS.map((value) => ({ value, label: channelName(value) }))]}
        {...choose("channel")}
      />
      <Select
        label={texts.environment}
        choices={[
          { value: "", label: texts.production },
          { value: "DEV", label: texts.sandbox },
        ]}
        {...choose("gateway")}
      />
    </>
  );
}

function Report({ report }: { readonly report: Schema<"BillReport"> }) {
  const texts = useTexts(REPORTS_TEXTS);
  const { gateway } = reportsRoute.useSearch();
  const { accounts, days, from, until, total } = report;
  if (accounts.length === 0) {
    return (
      <div className="empty">
        <p>{texts.noAccount}</p>
        {gateway !== "DEV" && (
          <p>
            <Link to="/reports" search={(now) => ({ ...now, gateway: "DEV" })}>
              {texts.showSandbox}
            </Link>
          </p>
        )}
      </div>
    );
  }
  return (
    <>
      <ReportProblems report={report} />
      <ReportTotals total={total} />
      <ReportAccounts accounts={accounts} />
      <ReportBalances accounts={accounts} />
      {from !== until && <ReportDays days={days} />}
    </>
  );
}
