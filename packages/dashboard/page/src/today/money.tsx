import { Link } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { formatMoney, formatNumber, formatShare, formatTime, formatWeekday } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useSession } from "../session/session-context.js";
import { useChannelName } from "../ui/channel.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Figure } from "../ui/figure.js";
import { Money } from "../ui/money.js";
import { type FigureScope, paymentsOf, refundsOf } from "./lists.js";
import { TODAY_TEXTS } from "./messages.js";

type Sales = Schema<"Today">["money"][number];

interface MoneyProps {
  readonly money: readonly Sales[];
  readonly scope: FigureScope;
}

/** What was taken and refunded, against the same weekday a week ago at the same time of day. */
export function MoneyTotals({ money, scope, at }: MoneyProps & { readonly at: number }) {
  const texts = useTexts(TODAY_TEXTS);
  const sum = (of: (sales: Sales) => number) => money.reduce((total, sales) => total + of(sales), 0);
  const taken = sum((sales) => sales.taken);
  const takenBefore = sum((sales) => sales.takenBefore);
  const refunded = sum((sales) => sales.refunded);
  const refundedBefore = sum((sales) => sales.refundedBefore);
  return (
    <dl className="figures">
      <Figure
        name={texts.taken}
        value={
          <Link to="/orders" search={paymentsOf(scope)}>
            <Money cents={taken} />
          </Link>
        }
      >
        <Difference now={taken} before={takenBefore} at={at} />
      </Figure>
      <Figure
        name={texts.refunded}
        value={
          <Link to="/refunds" search={refundsOf(scope)}>
            <Money cents={refunded} />
          </Link>
        }
      >
        <Difference now={refunded} before={refundedBefore} at={at} />
      </Figure>
      <Figure name={texts.net} value={<Money cents={taken - refunded} />}>
        <Difference now={taken - refunded} before={takenBefore - refundedBefore} at={at} />
      </Figure>
    </dl>
  );
}

interface DifferenceProps {
  readonly now: number;
  readonly before: number;
  readonly at: number;
}

/** The difference between a sum and the sum of a week ago, until the same time of day. */
function Difference({ now, before, at }: DifferenceProps) {
  const texts = useTexts(TODAY_TEXTS);
  const language = useLanguage();
  const { timeZone } = useSession().policy;
  const weekday = formatWeekday(at, timeZone, language);
  const time = formatTime(at, timeZone, "hour");
  if (now === before) {
    return (
      <>
        <span className="difference">{texts.same}</span> {texts.as(weekday, time)}
      </>
    );
  }
  const amount = formatMoney(Math.abs(now - before), language);
  const share = before > 0 ? ` (${formatShare(Math.abs(now - before), before, language)})` : "";
  return (
    <>
      <span className="difference">
        {now > before ? texts.more(amount) : texts.less(amount)}
        {share}
      </span>{" "}
      {texts.than(weekday, time, formatMoney(before, language))}
    </>
  );
}

/** The same sums by app and channel. Each number links to the list that it counts. */
export function MoneyTable({ money, scope }: MoneyProps) {
  const texts = useTexts(TODAY_TEXTS);
  const language = useLanguage();
  const { apps } = useSession();
  const channelName = useChannelName();
  const names = new Map(apps.map(({ appId, name }) => [appId, name]));
  const payments = ({ appId, payChannel }: Sales) => paymentsOf(scope, { app: appId, channel: payChannel });
  const refunds = ({ appId, payChannel }: Sales) => refundsOf(scope, { app: appId, channel: payChannel });
  const columns: readonly Column<Sales>[] = [
    {
      id: "app",
      header: texts.app,
      place: "first",
      cell: ({ appId }) => <span className="clip">{names.get(appId) ?? appId}</span>,
    },
    {
      id: "channel",
      header: texts.channel,
      place: "second",
      cell: ({ payChannel }) => channelName(payChannel),
    },
    {
      id: "taken",
      header: texts.taken,
      isNumber: true,
      place: "first-end",
      cell: (sales) => <Money cents={sales.taken} />,
    },
    {
      id: "payments",
      header: texts.payments,
      isNumber: true,
      place: "second-end",
      cell: (sales) => (
        <Link to="/orders" search={payments(sales)}>
          <span className="wide-only">{formatNumber(sales.paid, language)}</span>
          <span className="narrow-only">{texts.paymentCount(formatNumber(sales.paid, language))}</span>
        </Link>
      ),
    },
    {
      id: "refunded",
      header: texts.refunded,
      isNumber: true,
      place: "third",
      cell: (sales) => (
        <>
          <span className="narrow-only">{texts.refunded} </span>
          <Money cents={sales.refunded} />
        </>
      ),
    },
    {
      id: "refunds",
      header: texts.refunds,
      isNumber: true,
      place: "third-end",
      cell: (sales) => (
        <Link to="/refunds" search={refunds(sales)}>
          <span className="wide-only">{formatNumber(sales.refunds, language)}</span>
          <span className="narrow-only">{texts.refundCount(formatNumber(sales.refunds, language))}</span>
        </Link>
      ),
    },
  ];
  return (
    <section aria-labelledby="by-app">
      <h2 id="by-app">{texts.byApp}</h2>
      <DataTable
        label={texts.byApp}
        columns={columns}
        rows={money}
        empty={<p>{texts.noMoney}</p>}
        rowId={({ appId, payChannel }) => `${appId} ${payChannel}`}
      />
    </section>
  );
}
