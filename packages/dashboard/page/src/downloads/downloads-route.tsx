import { createRoute } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { FilterBar } from "../filters/filter-bar.js";
import { areReadable, filterReader, withRefusal } from "../filters/filter-reader.js";
import { UnreadableFilters } from "../filters/unreadable-filters.js";
import { addDays, dayOf, isDay } from "../language/business-day.js";
import { useTexts } from "../language/catalogue.js";
import { serverTime } from "../language/server-time.js";
import { useMay, useSession } from "../session/session-context.js";
import { ExportButton } from "../ui/export-button.js";
import { Field } from "../ui/field.js";
import { Loaded } from "../ui/loaded.js";
import { UI_TEXTS } from "../ui/messages.js";
import { PageTitle } from "../ui/page-title.js";
import { Select } from "../ui/select.js";
import { ChangeCounts } from "./change-counts.js";
import { Coverage } from "./coverage.js";
import { DownloadsReport } from "./downloads-report.js";
import { DOWNLOADS_TEXTS } from "./messages.js";

/** The number of days that the view shows at first. */
const DAYS = 30;

const LENGTHS = ["day", "week", "month"] as const;

/** The view of the download counts. */
export const downloadsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/downloads",
  validateSearch: searchParams("app", "store", "from", "until", "by"),
  component: DownloadsView,
});

function DownloadsView() {
  const texts = useTexts(DOWNLOADS_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const may = useMay();
  const { apps, policy } = useSession();
  const navigate = downloadsRoute.useNavigate();
  const { lang: _lang, ...search } = downloadsRoute.useSearch();
  const yesterday = addDays(dayOf(serverTime(), policy.timeZone), -1);
  const { store, until = yesterday } = search;
  const { from = addDays(isDay(until) ? until : yesterday, 1 - DAYS) } = search;
  const shown = { ...search, from, until };
  const reader = filterReader(shown);
  const asked = {
    ...reader.choice(
      "appId",
      "app",
      apps.map(({ appId }) => appId),
    ),
    ...reader.day("from", "from"),
    ...reader.day("until", "until"),
    ...reader.choice("by", "by", LENGTHS),
  };
  reader.text("store", "store");
  reader.range("from", "until");
  const { problems, names } = reader;
  const isReadable = areReadable(problems);
  const query = useRead("/api/downloads", { query: asked }, { keepsPrevious: true, isEnabled: isReadable });
  const shownProblems = withRefusal(problems, query.error, names);
  return (
    <>
      <PageTitle title={texts.title}>
        {may("downloads.export") && (
          <ExportButton
            path="/api/downloads.csv"
            query={{ ...asked, store }}
            isReadable={areReadable(shownProblems)}
          />
        )}
      </PageTitle>
      <FilterBar
        shown={shown}
        problems={shownProblems}
        onChange={(changed) => void navigate({ search: changed })}
        isOpen
      >
        {({ choose, day }) => (
          <>
            <div className="range">
              <Field label={texts.from} {...day("from")} />
              <Field label={texts.until} {...day("until")} />
            </div>
            <Select
              label={texts.app}
              choices={[
                { value: "", label: ui.all },
                ...apps.map(({ appId, name }) => ({ value: appId, label: name })),
              ]}
              {...choose("app")}
            />
            <Select
              label={texts.store}
              choices={[{ value: "", label: ui.all }, ...storesIn(query.data, store)]}
              {...choose("store")}
            />
            <Select
              label={texts.by}
              choices={[
                { value: "", label: texts.byDay },
                { value: "week", label: texts.byWeek },
                { value: "month", label: texts.byMonth },
              ]}
              {...choose("by")}
            />
          </>
        )}
      </FilterBar>
      {isReadable ? (
        <>
          <Loaded query={query}>
            {(downloads) => <DownloadsReport downloads={downloads} store={store} />}
          </Loaded>
          {search.app !== undefined && store !== undefined && (
            <ChangeCounts appId={search.app} store={store} from={from} until={until} />
          )}
          <Coverage appId={search.app} />
        </>
      ) : (
        <UnreadableFilters />
      )}
    </>
  );
}

/** Returns the stores of the period. The chosen store stays a choice even without counts. */
function storesIn(downloads: Schema<"Downloads"> | undefined, chosen: string | undefined) {
  const stores = new Set((downloads?.stores ?? []).map(({ store }) => store));
  if (chosen !== undefined) stores.add(chosen);
  return [...stores].map((store) => ({ value: store, label: store }));
}
