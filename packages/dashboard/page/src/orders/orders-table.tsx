import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { useSession } from "../session/session-context.js";
import { useChannelName } from "../ui/channel.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Money } from "../ui/money.js";
import { Status } from "../ui/status.js";
import { Time } from "../ui/time.js";
import { ORDERS_TEXTS } from "./messages.js";
import { OrderStatus } from "./order-status.js";

type OrderRow = Schema<"OrderRow">;

interface OrdersTableProps {
  readonly rows: readonly OrderRow[];
  readonly empty: ReactNode;
}

/** Orders as rows, each with a link to its page. */
export function OrdersTable({ rows, empty }: OrdersTableProps) {
  const texts = useTexts(ORDERS_TEXTS);
  const { apps } = useSession();
  const channelName = useChannelName();
  const columns: readonly Column<OrderRow>[] = [
    {
      id: "created",
      header: texts.created,
      place: "third",
      cell: ({ gmtCreate }) => <Time at={gmtCreate} />,
    },
    {
      id: "bizNo",
      header: texts.bizNo,
      place: "first",
      cell: ({ appId, bizNo }) => (
        <Link className="mono" to="/orders/$appId/$bizNo" params={{ appId, bizNo }}>
          {bizNo}
        </Link>
      ),
    },
    {
      id: "title",
      header: texts.goodsTitle,
      place: "second",
      cell: ({ goodsTitle }) => <span className="clip">{goodsTitle}</span>,
    },
    {
      id: "amount",
      header: texts.amount,
      isNumber: true,
      place: "first-end",
      cell: ({ amount }) => <Money cents={amount} />,
    },
    {
      id: "channel",
      header: texts.channel,
      place: "third",
      cell: ({ payChannel }) => channelName(payChannel),
    },
    {
      id: "status",
      header: texts.status,
      place: "second-end",
      cell: ({ paymentStatus, refundedAmount, alarm }) => (
        <>
          <OrderStatus status={paymentStatus} refundedAmount={refundedAmount} />{" "}
          {alarm && <Status tone="bad">{texts.alarmWord}</Status>}
        </>
      ),
    },
    {
      id: "customer",
      header: texts.customer,
      place: "third-end",
      cell: ({ customerIdentity }) =>
        customerIdentity === "" ? null : <span className="clip">{customerIdentity}</span>,
    },
    // An operator of one app needs no column for the app.
    ...(apps.length > 1 ? [appColumn(texts.app, apps)] : []),
  ];
  return (
    <DataTable
      label={texts.list}
      columns={columns}
      rows={rows}
      empty={empty}
      rowId={({ appId, bizNo }) => JSON.stringify([appId, bizNo])}
    />
  );
}

function appColumn(
  header: string,
  apps: readonly { readonly appId: string; readonly name: string }[],
): Column<OrderRow> {
  const names = new Map(apps.map(({ appId, name }) => [appId, name]));
  return { id: "app", header, cell: ({ appId }) => names.get(appId) ?? appId };
}
