import { createRoute } from "@tanstack/react-router";
import { useRead } from "../api/use-read.js";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { FilterBar } from "../filters/filter-bar.js";
import { areReadable, withRefusal } from "../filters/filter-reader.js";
import { UnreadableFilters } from "../filters/unreadable-filters.js";
import { useTexts } from "../language/catalogue.js";
import { useMay, useSession } from "../session/session-context.js";
import { ExportButton } from "../ui/export-button.js";
import { Field } from "../ui/field.js";
import { Loaded } from "../ui/loaded.js";
import { UI_TEXTS } from "../ui/messages.js";
import { PageTitle } from "../ui/page-title.js";
import { Pages } from "../ui/pages.js";
import { Select } from "../ui/select.js";
import { ACTION_TEXTS, AUDIT_ACTION_NAMES } from "./action-names.js";
import { ChainCheck } from "./chain-check.js";
import { AuditTable } from "./audit-table.js";
import { OUTCOMES, readAuditFilters, type ShownAuditFilters } from "./filters.js";
import { AUDIT_TEXTS } from "./messages.js";

/** The view of the audit log: who changed what, and why. */
export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/audit",
  validateSearch: searchParams(
    ...(["app", "operator", "action", "outcome", "subject", "from", "until", "before"] as const),
  ),
  component: AuditView,
});

function AuditView() {
  const texts = useTexts(AUDIT_TEXTS);
  const actions = useTexts(ACTION_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const navigate = auditRoute.useNavigate();
  const { before, lang: _lang, ...shown } = auditRoute.useSearch();
  const { policy, apps } = useSession();
  const may = useMay();
  const appIds = apps.map(({ appId }) => appId);
  const { query: filters, problems, names } = readAuditFilters(shown, policy.timeZone, appIds);
  const isReadable = areReadable(problems);
  const asked = { ...filters, ...(before === undefined ? {} : { before }) };
  const query = useRead("/api/audit", { query: asked }, { keepsPrevious: true, isEnabled: isReadable });
  const shownProblems = withRefusal(problems, query.error, names);
  const all = { value: "", label: ui.all };
  return (
    <>
      <PageTitle title={texts.title}>
        {may("audit.export") && (
          <ExportButton path="/api/audit.csv" query={filters} isReadable={areReadable(shownProblems)} />
        )}
      </PageTitle>
      <ChainCheck />
      <FilterBar<ShownAuditFilters>
        shown={shown}
        problems={shownProblems}
        onChange={(changed) => void navigate({ search: changed })}
        isOpen
      >
        {({ type, choose, day }) => (
          <>
            <Select
              label={texts.action}
              choices={[all, ...AUDIT_ACTION_NAMES.map((value) => ({ value, label: actions[value] }))]}
              {...choose("action")}
            />
            <Select
              label={texts.outcome}
              choices={[all, ...OUTCOMES.map((value) => ({ value, label: texts[value] }))]}
              {...choose("outcome")}
            />
            {(apps.length > 1 || problems["app"] !== undefined) && (
              <Select
                label={texts.app}
                choices={[all, ...apps.map(({ appId, name }) => ({ value: appId, label: name }))]}
                {...choose("app")}
              />
            )}
            <Field label={texts.operator} maxLength={64} {...type("operator")} />
            <Field label={texts.about} maxLength={200} {...type("subject")} />
            <div className="range">
              <Field label={texts.since} {...day("from")} />
              <Field label={texts.until} {...day("until")} />
            </div>
          </>
        )}
      </FilterBar>
      {isReadable ? (
        <>
          <Loaded query={query}>
            {({ items, older }) => <AuditTable rows={items} areOlderLeft={older !== undefined} />}
          </Loaded>
          <Pages label={texts.list} before={before} older={query.data?.older} />
        </>
      ) : (
        <UnreadableFilters />
      )}
    </>
  );
}
