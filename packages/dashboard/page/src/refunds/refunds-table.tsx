import { Link } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { RefundStatus } from "../orders/order-status.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Money } from "../ui/money.js";
import { Time } from "../ui/time.js";
import { REFUNDS_TEXTS } from "./messages.js";

type ListedRefund = Schema<"RefundOfOrder">;

/** Refunds as rows, each with a link to its order. */
export function RefundsTable({ rows }: { readonly rows: readonly ListedRefund[] }) {
  const texts = useTexts(REFUNDS_TEXTS);
  const columns: readonly Column<ListedRefund>[] = [
    { id: "changed", header: texts.changed, cell: ({ gmtModified }) => <Time at={gmtModified} /> },
    {
      ...{ id: "order", header: texts.order },
      cell: ({ appId, bizNo }) => (
        <Link className="mono" to="/orders/$appId/$bizNo" params={{ appId, bizNo }}>
          {bizNo}
        </Link>
      ),
    },
    {
      id: "refundNo",
      header: texts.refundNo,
      cell: ({ refundNo }) => <span className="mono">{refundNo}</span>,
    },
    { id: "amount", header: texts.amount, isNumber: true, cell: ({ amount }) => <Money cents={amount} /> },
    { id: "status", header: texts.status, cell: ({ status }) => <RefundStatus status={status} /> },
    { id: "operator", header: texts.operator, cell: ({ operator }) => operator },
  ];
  const empty = (
    <>
      <p>{texts.none}</p>
      <p className="muted">{texts.noneHelp}</p>
    </>
  );
  return (
    <DataTable
      {...{ label: texts.refunds, columns, rows, empty }}
      rowId={({ appId, bizNo, refundNo }) => JSON.stringify([appId, bizNo, refundNo])}
    />
  );
}
