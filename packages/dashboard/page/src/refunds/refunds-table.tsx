import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { RefundStatus } from "../orders/order-status.js";
import { useChannelName } from "../ui/channel.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Money } from "../ui/money.js";
import { Time } from "../ui/time.js";
import { REFUND_LIST_TEXTS } from "./list-messages.js";
import { RefundRemedies } from "./refund-remedies.js";

type ListedRefund = Schema<"RefundOfOrder">;

interface RefundsTableProps {
  readonly rows: readonly ListedRefund[];
  /** What is shown instead of a table without rows. */
  readonly empty: ReactNode;
}

/** Refunds as rows, each with a link to its order. */
export function RefundsTable({ rows, empty }: RefundsTableProps) {
  const texts = useTexts(REFUND_LIST_TEXTS);
  const channelName = useChannelName();
  const columns: readonly Column<ListedRefund>[] = [
    {
      id: "created",
      header: texts.created,
      place: "third",
      cell: ({ gmtCreate }) => <Time at={gmtCreate} />,
    },
    {
      id: "order",
      header: texts.order,
      place: "first",
      cell: ({ appId, bizNo }) => (
        <Link className="mono" to="/orders/$appId/$bizNo" params={{ appId, bizNo }}>
          {bizNo}
        </Link>
      ),
    },
    {
      id: "refundNo",
      header: texts.refundNo,
      place: "second",
      cell: ({ refundNo }) => <span className="mono">{refundNo}</span>,
    },
    {
      id: "amount",
      header: texts.amount,
      isNumber: true,
      place: "first-end",
      cell: ({ amount }) => <Money cents={amount} />,
    },
    {
      id: "status",
      header: texts.status,
      place: "second-end",
      cell: ({ status }) => <RefundStatus status={status} />,
    },
    {
      id: "channel",
      header: texts.channel,
      place: "third",
      cell: ({ payChannel }) => (payChannel === undefined ? null : channelName(payChannel)),
    },
    { id: "operator", header: texts.operator, place: "third", cell: ({ operator }) => operator },
    {
      id: "remedies",
      isAction: true,
      header: texts.actions,
      place: "third-end",
      cell: (refund) => <RefundRemedies refund={refund} />,
    },
  ];
  return (
    <DataTable
      label={texts.refunds}
      columns={columns}
      rows={rows}
      empty={empty}
      rowId={({ appId, bizNo, refundNo }) => JSON.stringify([appId, bizNo, refundNo])}
    />
  );
}
