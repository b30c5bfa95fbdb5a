import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { formatCount, formatDuration } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { TODAY_TEXTS } from "./messages.js";

type Queue = NonNullable<Schema<"Today">["queues"]>[number];

/** The work that the host still has to do without an operator. */
export function Queues({ queues, at }: { readonly queues: readonly Queue[]; readonly at: number }) {
  const texts = useTexts(TODAY_TEXTS);
  const language = useLanguage();
  const names: Readonly<Record<Queue["name"], string>> = {
    orders: texts.orders,
    refunds: texts.refundsQueue,
    billExceptions: texts.billExceptions,
    events: texts.events,
    parkedEvents: texts.parkedEvents,
  };
  const columns: readonly Column<Queue>[] = [
    { id: "queue", header: texts.queue, place: "first", cell: ({ name }) => names[name] },
    {
      id: "count",
      header: texts.count,
      isNumber: true,
      place: "first-end",
      cell: ({ count }) => formatCount(count, language),
    },
    {
      id: "since",
      header: texts.since,
      isNumber: true,
      place: "second-end",
      cell: ({ since }) =>
        since === undefined ? null : (
          <>
            <span className="narrow-only">{texts.since} </span>
            {formatDuration(at - since, language)}
          </>
        ),
    },
  ];
  return (
    <section aria-labelledby="queues">
      <h2 id="queues">{texts.queues}</h2>
      <DataTable
        label={texts.queues}
        columns={columns}
        rows={queues}
        empty={<p>{texts.noQueues}</p>}
        rowId={({ name }) => name}
      />
    </section>
  );
}
