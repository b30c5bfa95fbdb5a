import { createRoute } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { addDays, dayOf } from "../language/business-day.js";
import { useTexts } from "../language/catalogue.js";
import { useMay, useSession } from "../session/session-context.js";
import { DownloadLink } from "../ui/download-link.js";
import { Field } from "../ui/field.js";
import { FilterBar } from "../ui/filter-bar.js";
import { Loaded } from "../ui/loaded.js";
import { UI_TEXTS } from "../ui/messages.js";
import { PageTitle } from "../ui/page-title.js";
import { Select } from "../ui/select.js";
import { dailyCounts } from "./daily-counts.js";
import { DownloadsReport } from "./downloads-report.js";
import { DOWNLOADS_TEXTS } from "./messages.js";

/** Days that are shown first. */
const DAYS = 30;

/** How often the apps were downloaded. */
export const downloadsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/downloads",
  validateSearch: searchParams("app", "store", "from", "until"),
  component: DownloadsView,
});

function DownloadsView() {
  const texts = useTexts(DOWNLOADS_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const may = useMay();
  const { apps, policy } = useSession();
  const navigate = downloadsRoute.useNavigate();
  const { lang: _lang, ...search } = downloadsRoute.useSearch();
  const yesterday = addDays(dayOf(Date.now(), policy.timeZone), -1);
  const { app, store, until = yesterday, from = addDays(until, 1 - DAYS) } = search;
  const asked = { from, until, ...(app && { appId: app }) };
  const query = useRead("/api/downloads", { query: asked }, { keepsPrevious: true });
  const shown = { ...search, from, until };
  return (
    <>
      <PageTitle title={texts.title}>
        {may("downloads.export") && (
          <DownloadLink path="/api/downloads.csv" query={asked}>
            {texts.export}
          </DownloadLink>
        )}
      </PageTitle>
      <FilterBar
        key={JSON.stringify(shown)}
        shown={shown}
        onChange={(changed) => void navigate({ search: changed })}
      >
        {({ type, choose }) => (
          <>
            <Field label={texts.from} type="date" {...type("from")} />
            <Field label={texts.until} type="date" {...type("until")} />
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
              choices={[{ value: "", label: ui.all }, ...storesIn(query.data)]}
              {...choose("store")}
            />
          </>
        )}
      </FilterBar>
      <Loaded query={query}>
        {(downloads) => <DownloadsReport downloads={downloads} counts={dailyCounts(downloads, store)} />}
      </Loaded>
    </>
  );
}

function storesIn(downloads: Schema<"Downloads"> | undefined) {
  return (downloads?.stores ?? []).map(({ store }) => ({ value: store, label: store }));
}
