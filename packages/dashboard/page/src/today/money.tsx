import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { formatMoney, formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useSession } from "../session/session-context.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Figure } from "../ui/figure.js";
import { Money } from "../ui/money.js";
import { TODAY_TEXTS } from "./messages.js";

type Sales = Schema<"Today">["money"][number];
type MoneyProps = Pick<Schema<"Today">, "money">;

/** What was taken and refunded, against the same weekday before. */
export function MoneyTotals({ money }: MoneyProps) {
  const texts = useTexts(TODAY_TEXTS);
  const language = useLanguage();
  const sum = (of: (sales: Sales) => number) => money.reduce((total, sales) => total + of(sales), 0);
  const figures = [
    [texts.taken, sum(({ taken }) => taken), sum(({ takenBefore }) => takenBefore)],
    [texts.refunded, sum(({ refunded }) => refunded), sum(({ refundedBefore }) => refundedBefore)],
    [
      texts.net,
      sum(({ taken, refunded }) => taken - refunded),
      sum(({ takenBefore, refundedBefore }) => takenBefore - refundedBefore),
    ],
  ] as const;
  return (
    <dl className="figures">
      {figures.map(([name, cents, before]) => (
        <Figure key={name} name={name} value={<Money cents={cents} />}>
          {texts.before(formatMoney(before, language))}
        </Figure>
      ))}
    </dl>
  );
}

/** The same by app and channel. */
export function MoneyTable({ money }: MoneyProps) {
  const texts = useTexts(TODAY_TEXTS);
  const language = useLanguage();
  const { apps, policy } = useSession();
  const names = new Map(apps.map(({ appId, name }) => [appId, name]));
  const columns: readonly Column<Sales>[] = [
    { id: "app", header: texts.app, cell: ({ appId }) => names.get(appId) ?? appId },
    { id: "channel", header: texts.channel, cell: ({ payChannel }) => policy.payChannelNames[payChannel] },
    numberColumn("taken", texts.taken, ({ taken }) => <Money cents={taken} />),
    numberColumn("payments", texts.payments, ({ paid }) => formatNumber(paid, language)),
    numberColumn("refunded", texts.refunded, ({ refunded }) => <Money cents={refunded} />),
    numberColumn("refunds", texts.refunds, ({ refunds }) => formatNumber(refunds, language)),
  ];
  return (
    <section aria-labelledby="by-app">
      <h2 id="by-app">{texts.byApp}</h2>
      <DataTable
        {...{ label: texts.byApp, columns, rows: money, empty: <p>{texts.noMoney}</p> }}
        rowId={({ appId, payChannel }) => `${appId} ${payChannel}`}
      />
    </section>
  );
}

function numberColumn(id: string, header: string, cell: Column<Sales>["cell"]): Column<Sales> {
  return { id, header, cell, isNumber: true };
}
