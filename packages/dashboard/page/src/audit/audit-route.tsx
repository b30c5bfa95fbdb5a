import { createRoute, Link } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { rootRoute } from "../app/root-route.js";
import { searchParams } from "../app/search-params.js";
import { addDays, startOfDay } from "../language/business-day.js";
import { useTexts } from "../language/catalogue.js";
import { useMay, useSession } from "../session/session-context.js";
import { DownloadLink } from "../ui/download-link.js";
import { Field } from "../ui/field.js";
import { FilterBar } from "../ui/filter-bar.js";
import { Loaded } from "../ui/loaded.js";
import { UI_TEXTS } from "../ui/messages.js";
import { PageTitle } from "../ui/page-title.js";
import { Select } from "../ui/select.js";
import { ChainCheck } from "./chain-check.js";
import { AuditTable } from "./audit-table.js";
import { AUDIT_TEXTS } from "./messages.js";

const OUTCOMES = ["done", "refused", "failed"] as const satisfies readonly Schema<"AuditRow">["outcome"][];

/** Who changed what, and why. */
export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/audit",
  validateSearch: searchParams(...(["operator", "outcome", "subject", "from", "until", "before"] as const)),
  component: AuditView,
});

function AuditView() {
  const texts = useTexts(AUDIT_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const navigate = auditRoute.useNavigate();
  const { before, lang: _lang, ...shown } = auditRoute.useSearch();
  const { timeZone } = useSession().policy;
  const may = useMay();
  const asked = { ...criteriaOf(shown, timeZone), ...(before && { before }) };
  const query = useRead("/api/audit", { query: asked }, { keepsPrevious: true });
  return (
    <>
      <PageTitle title={texts.title}>
        {may("audit.export") && (
          <DownloadLink path="/api/audit.csv" query={criteriaOf(shown, timeZone)}>
            {texts.exportCsv}
          </DownloadLink>
        )}
      </PageTitle>
      <ChainCheck />
      <FilterBar
        key={JSON.stringify(shown)}
        shown={shown}
        onChange={(changed) => void navigate({ search: changed })}
      >
        {({ type, choose }) => (
          <>
            <Select
              label={texts.outcome}
              choices={[
                { value: "", label: ui.all },
                ...OUTCOMES.map((value) => ({ value, label: texts[value] })),
              ]}
              {...choose("outcome")}
            />
            <Field label={texts.operator} maxLength={64} {...type("operator")} />
            <Field label={texts.subject} maxLength={200} {...type("subject")} />
            <Field label={texts.since} type="date" {...type("from")} />
            <Field label={texts.until} type="date" {...type("until")} />
          </>
        )}
      </FilterBar>
      <Loaded query={query}>
        {({ items, older }) => (
          <>
            <AuditTable rows={items} />
            <nav className="pages" aria-label={texts.list}>
              {before !== undefined && (
                <Link from="/audit" to="/audit" search={({ before: _before, ...rest }) => rest}>
                  ← {ui.newest}
                </Link>
              )}
              {older !== undefined && (
                <Link from="/audit" to="/audit" search={(now) => ({ ...now, before: String(older) })}>
                  {ui.older} →
                </Link>
              )}
            </nav>
          </>
        )}
      </Loaded>
    </>
  );
}

/** Returns the filters for the API. Days include their end. */
function criteriaOf(
  { operator, outcome, subject, from, until }: Readonly<Partial<Record<string, string>>>,
  timeZone: string,
) {
  const known = OUTCOMES.find((one) => one === outcome);
  const start = from === undefined ? undefined : startOfDay(from, timeZone);
  const end = until === undefined ? undefined : startOfDay(until, timeZone);
  return {
    ...(known && { outcome: known }),
    ...(operator && { operator }),
    ...(subject && { subject }),
    ...(start !== undefined && { from: String(start) }),
    ...(end !== undefined && until && { until: String(startOfDay(addDays(until, 1), timeZone)) }),
  };
}
