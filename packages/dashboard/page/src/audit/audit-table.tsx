import { Link } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { FILTER_TEXTS } from "../filters/messages.js";
import { useTexts } from "../language/catalogue.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Status, type Tone } from "../ui/status.js";
import { Time } from "../ui/time.js";
import { ACTION_TEXTS } from "./action-names.js";
import { AUDIT_TEXTS } from "./messages.js";

type AuditRow = Schema<"AuditRow">;

const TONES: Readonly<Record<AuditRow["outcome"], Tone>> = {
  done: "good",
  refused: "bad",
  failed: "bad",
  unknown: "waiting",
};

interface AuditTableProps {
  readonly rows: readonly AuditRow[];
  /** Whether older entries may still match. */
  readonly areOlderLeft: boolean;
}

/** Entries of the audit log. */
export function AuditTable({ rows, areOlderLeft }: AuditTableProps) {
  const texts = useTexts(AUDIT_TEXTS);
  const actions = useTexts(ACTION_TEXTS);
  const filters = useTexts(FILTER_TEXTS);
  const columns: readonly Column<AuditRow>[] = [
    { id: "at", header: texts.at, place: "third", cell: ({ at }) => <Time at={at} /> },
    {
      id: "operator",
      header: texts.operator,
      place: "third",
      cell: ({ operator }) => (operator === "" ? <em className="muted">{texts.nobody}</em> : operator),
    },
    {
      id: "action",
      header: texts.action,
      place: "first",
      cell: ({ action }) => <span title={action}>{actions[action]}</span>,
    },
    {
      id: "outcome",
      header: texts.outcome,
      place: "first-end",
      cell: ({ outcome }) => <Status tone={TONES[outcome]}>{texts[outcome]}</Status>,
    },
    {
      id: "subject",
      header: texts.subject,
      place: "second",
      cell: ({ subject }) => <Subject subject={subject} />,
    },
    { id: "reason", header: texts.reason, place: "fourth", cell: ({ reason }) => reason },
    { id: "detail", header: texts.detail, place: "fourth", cell: (row) => <Details row={row} /> },
  ];
  const empty = areOlderLeft ? (
    <p>{filters.noneYet}</p>
  ) : (
    <>
      <p>{texts.none}</p>
      <p className="muted">{texts.noneHelp}</p>
    </>
  );
  return (
    <DataTable
      label={texts.list}
      columns={columns}
      rows={rows}
      empty={empty}
      rowId={({ seq }) => String(seq)}
    />
  );
}

/** What an entry is about. An order is a link. */
function Subject({ subject }: { readonly subject: string }) {
  const [, appId, bizNo] = /^order:([^/]+)\/(.+)$/.exec(subject) ?? [];
  if (appId === undefined || bizNo === undefined) return <span className="mono">{subject}</span>;
  return (
    <Link className="mono" to="/orders/$appId/$bizNo" params={{ appId, bizNo }}>
      {bizNo}
    </Link>
  );
}

function Details({ row }: { readonly row: AuditRow }) {
  const texts = useTexts(AUDIT_TEXTS);
  return (
    <details>
      <summary>{row.from}</summary>
      {row.detail !== undefined && <pre>{row.detail}</pre>}
      <p className="muted">
        {texts.trace} <span className="mono">{row.traceId}</span>
      </p>
      <p className="muted">
        {texts.hash} <span className="mono">{row.hash}</span>
      </p>
    </details>
  );
}
