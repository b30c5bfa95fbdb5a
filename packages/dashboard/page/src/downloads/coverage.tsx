import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useMay, useSession } from "../session/session-context.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { ExportButton } from "../ui/export-button.js";
import { Loaded } from "../ui/loaded.js";
import { DOWNLOADS_TEXTS } from "./messages.js";

type Covered = Schema<"DownloadsCoverage">["items"][number];

/** The days with data of each app and store. A day without data is not a day without downloads. */
export function Coverage({ appId }: { readonly appId: string | undefined }) {
  const texts = useTexts(DOWNLOADS_TEXTS);
  const language = useLanguage();
  const may = useMay();
  const { apps } = useSession();
  const names = new Map(apps.map((app) => [app.appId, app.name]));
  const asked = appId === undefined ? {} : { appId };
  const query = useRead("/api/downloads/coverage", { query: asked }, { keepsPrevious: true });
  const columns: readonly Column<Covered>[] = [
    { id: "store", header: texts.store, cell: ({ store }) => store },
    { id: "app", header: texts.app, cell: (row) => names.get(row.appId) ?? row.appId },
    { id: "since", header: texts.firstDay, cell: ({ firstDay }) => firstDay },
    { id: "until", header: texts.lastDay, cell: ({ lastDay }) => lastDay },
    {
      id: "missing",
      header: texts.missingDays,
      isNumber: true,
      cell: ({ missingDays }) => formatNumber(missingDays, language),
    },
  ];
  return (
    <section aria-labelledby="coverage-title">
      <h2 id="coverage-title">{texts.coverage}</h2>
      <p className="muted">{texts.coverageHelp}</p>
      {may("downloads.export") && (
        <div className="toolbar">
          <ExportButton path="/api/downloads/coverage.csv" query={asked} isReadable />
        </div>
      )}
      <Loaded query={query}>
        {({ items }) => (
          <DataTable
            label={texts.coverage}
            columns={columns}
            rows={items}
            empty={<p>{texts.noCoverage}</p>}
            rowId={(row) => `${row.appId} ${row.store}`}
          />
        )}
      </Loaded>
    </section>
  );
}
