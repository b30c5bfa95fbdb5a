import { areReadable, type FilterNames, type FilterProblems, withRefusal } from "../filters/filter-reader.js";
import { useDayChoices } from "../filters/day-choices.js";
import { FILTER_TEXTS } from "../filters/messages.js";
import { QuickChoices } from "../filters/quick-choices.js";
import { UnreadableFilters } from "../filters/unreadable-filters.js";
import { useTexts } from "../language/catalogue.js";
import { ORDERS_TEXTS } from "../orders/messages.js";
import { useMay } from "../session/session-context.js";
import { ExportButton } from "../ui/export-button.js";
import { Loaded } from "../ui/loaded.js";
import { UI_TEXTS } from "../ui/messages.js";
import { Pages } from "../ui/pages.js";
import type { RefundFilters, ShownRefundFilters } from "./filters.js";
import { REFUND_LIST_TEXTS } from "./list-messages.js";
import { useRefunds } from "./queries.js";
import { RefundFilterForm } from "./refund-filter-form.js";
import { RefundsTable } from "./refunds-table.js";

interface RefundListProps {
  readonly shown: ShownRefundFilters;
  /** The filters for the API. */
  readonly filters: RefundFilters;
  readonly problems: FilterProblems;
  readonly names: FilterNames;
  readonly before: string | undefined;
  readonly onChange: (changed: ShownRefundFilters) => void;
}

/** The refunds of all orders, newest first, with their filters and their export. */
export function RefundList({ shown, filters, problems, names, before, onChange }: RefundListProps) {
  const texts = useTexts(REFUND_LIST_TEXTS);
  const may = useMay();
  const isReadable = areReadable(problems);
  const query = useRefunds({ ...filters, ...(before === undefined ? {} : { before }) }, isReadable);
  const shownProblems = withRefusal(problems, query.error, names);
  return (
    <section aria-labelledby="refunds">
      <div className="section-head">
        <h2 id="refunds">{texts.refunds}</h2>
        {may("refunds.export") && (
          <ExportButton path="/api/refunds.csv" query={filters} isReadable={areReadable(shownProblems)} />
        )}
      </div>
      <RefundChoices shown={shown} />
      <RefundFilterForm shown={shown} problems={shownProblems} onChange={onChange} />
      {isReadable ? (
        <>
          <Loaded query={query}>
            {({ items, older }) => (
              <RefundsTable rows={items} empty={<NoRefunds areOlderLeft={older !== undefined} />} />
            )}
          </Loaded>
          <Pages label={texts.refunds} before={before} older={query.data?.older} />
        </>
      ) : (
        <UnreadableFilters />
      )}
    </section>
  );
}

/** Links for the refunds that are not made yet, and for the days that operators need most often. */
function RefundChoices({ shown }: { readonly shown: ShownRefundFilters }) {
  const orders = useTexts(ORDERS_TEXTS);
  const ui = useTexts(UI_TEXTS);
  const filters = useTexts(FILTER_TEXTS);
  const days = useDayChoices();
  return (
    <div className="quick-rows">
      <QuickChoices
        label={filters.often}
        shown={shown}
        choices={[
          { label: ui.all, values: { status: undefined } },
          ...(["ABNORMAL", "WAITING_FOR_FUNDS", "SENT", "FAILED", "CONFIRMED"] as const).map((status) => ({
            label: orders[status],
            values: { status },
          })),
        ]}
      />
      <QuickChoices label={filters.days} shown={shown} choices={days} />
    </div>
  );
}

/**
 * The text for a page without refunds.
 *
 * A page examines a limited number of refunds, so older refunds may still match.
 */
function NoRefunds({ areOlderLeft }: { readonly areOlderLeft: boolean }) {
  const texts = useTexts(REFUND_LIST_TEXTS);
  if (areOlderLeft) return <p>{texts.noneYet}</p>;
  return (
    <>
      <p>{texts.none}</p>
      <p className="muted">{texts.noneHelp}</p>
    </>
  );
}
