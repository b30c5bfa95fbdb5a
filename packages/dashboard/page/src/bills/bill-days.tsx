import { Link } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useChannelName } from "../ui/channel.js";
import { type Column, DataTable, type PhonePlace } from "../ui/data-table.js";
import { Loaded } from "../ui/loaded.js";
import { Money } from "../ui/money.js";
import { Status } from "../ui/status.js";
import { CompareBill } from "./compare-bill.js";
import { BILLS_TEXTS } from "./messages.js";
import type { useBillDays } from "./queries.js";

type BillDay = Schema<"BillDay">;

interface BillDaysProps {
  readonly query: ReturnType<typeof useBillDays>;
}

/** The bills by day and channel, with what is open. */
export function BillDays({ query }: BillDaysProps) {
  const texts = useTexts(BILLS_TEXTS);
  const language = useLanguage();
  const channelName = useChannelName();
  const columns: readonly Column<BillDay>[] = [
    {
      id: "day",
      header: texts.day,
      place: "first",
      cell: ({ day, payChannel, accountId }) => (
        <Link to="/bills" search={{ tab: "exceptions", day, channel: payChannel, account: accountId }}>
          {day}
        </Link>
      ),
    },
    {
      id: "channel",
      header: texts.channel,
      place: "second",
      cell: ({ payChannel }) => channelName(payChannel),
    },
    {
      id: "account",
      header: texts.account,
      place: "second-end",
      cell: ({ accountId }) => <span className="mono">{accountId}</span>,
    },
    {
      id: "compared",
      header: texts.state,
      place: "first-end",
      cell: (day) => (
        <>
          <Status tone={day.compared && day.open === 0 ? "good" : "waiting"}>
            {day.compared ? texts.compared : texts.notCompared}
          </Status>
          <CompareBill billDay={day} />
        </>
      ),
    },
    number("matched", texts.matched, "third", ({ matched }) => formatNumber(matched, language)),
    number("open", texts.open, "third", ({ open }) => formatNumber(open, language)),
    number("resolved", texts.resolved, "third", ({ resolved }) => formatNumber(resolved, language)),
    number("fees", texts.fees, "third-end", ({ fees }) =>
      fees === undefined ? undefined : <Money cents={fees} />,
    ),
  ];
  return (
    <Loaded query={query}>
      {({ items }) => (
        <DataTable
          label={texts.dayList}
          columns={columns}
          rows={items}
          rowId={({ day, payChannel, accountId }) => `${day} ${payChannel} ${accountId}`}
          empty={<p>{texts.noDays}</p>}
        />
      )}
    </Loaded>
  );
}

/** A column of numbers. In a narrow table without headers, each number is shown with its name. */
function number(
  id: string,
  header: string,
  place: PhonePlace,
  value: Column<BillDay>["cell"],
): Column<BillDay> {
  const cell = (day: BillDay) => {
    const shown = value(day);
    if (shown === undefined) return undefined;
    return (
      <>
        <span className="narrow-only">{header} </span>
        {shown}
      </>
    );
  };
  return { id, header, place, cell, isNumber: true };
}
