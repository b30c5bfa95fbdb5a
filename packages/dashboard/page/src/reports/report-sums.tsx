import { Link } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useSession } from "../session/session-context.js";
import { useChannelName } from "../ui/channel.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Figure } from "../ui/figure.js";
import { Money } from "../ui/money.js";
import { REPORTS_TEXTS } from "./messages.js";

type BillReport = Schema<"BillReport">;
type Sums = Schema<"BillReportSums">;
type Account = BillReport["accounts"][number];
type Day = BillReport["days"][number];

/** The sums of the whole period. */
export function ReportTotals({ total }: { readonly total: Sums }) {
  const texts = useTexts(REPORTS_TEXTS);
  const language = useLanguage();
  return (
    <dl className="figures">
      <Figure name={texts.paidByCustomers} value={<Money cents={total.paymentAmount} />}>
        {texts.paymentCount(formatNumber(total.payments, language))}
      </Figure>
      <Figure name={texts.refunded} value={<Money cents={total.refundAmount} />}>
        {texts.refundCount(formatNumber(total.refunds, language))}
      </Figure>
      <Figure name={texts.receivedBeforeFees} value={<Money cents={total.received} />} />
      <Figure name={texts.feesKept} value={<Money cents={total.fees} />} />
      <Figure name={texts.net} value={<Money cents={total.net} />} />
    </dl>
  );
}

/** The sums of each day. A day leads to its report. */
export function ReportDays({ days }: Pick<BillReport, "days">) {
  const texts = useTexts(REPORTS_TEXTS);
  const language = useLanguage();
  const columns: readonly Column<Day>[] = [
    {
      id: "day",
      header: texts.day,
      place: "first",
      cell: ({ day }) => (
        <Link to="/reports" search={(now) => ({ ...now, period: day })}>
          {day}
        </Link>
      ),
    },
    {
      id: "payments",
      header: texts.payments,
      isNumber: true,
      cell: ({ payments }) => formatNumber(payments, language),
    },
    {
      id: "refunds",
      header: texts.refunds,
      isNumber: true,
      cell: ({ refunds }) => formatNumber(refunds, language),
    },
    ...useAmountColumns<Day>((day) => day),
  ];
  return (
    <section aria-labelledby="by-day">
      <h2 id="by-day">{texts.byDay}</h2>
      <DataTable
        label={texts.byDay}
        columns={columns}
        rows={days}
        empty={<p>{texts.noLines}</p>}
        rowId={({ day }) => day}
      />
    </section>
  );
}

/** A row of the table of accounts: one app of an account, or all of them. */
interface AccountRow {
  readonly account: Account;
  readonly app: string;
  readonly sums: Sums;
  readonly isTotal: boolean;
}

/** The sums of each account, and of its apps. */
export function ReportAccounts({ accounts }: Pick<BillReport, "accounts">) {
  const texts = useTexts(REPORTS_TEXTS);
  const { apps } = useSession();
  const names = new Map(apps.map(({ appId, name }) => [appId, name]));
  const rows = accounts.flatMap((account): readonly AccountRow[] => {
    const ofApps = account.apps.map(({ appId, ...sums }) => ({
      account,
      app: appId === undefined ? texts.noApp : (names.get(appId) ?? appId),
      sums,
      isTotal: false,
    }));
    const total = { account, app: texts.sum, sums: account.total, isTotal: true };
    return ofApps.length === 1 ? ofApps : [...ofApps, total];
  });
  const columns: readonly Column<AccountRow>[] = [
    {
      id: "account",
      header: texts.account,
      place: "first",
      cell: ({ account }) => <Merchant {...account} />,
    },
    {
      id: "app",
      header: texts.app,
      place: "fourth",
      cell: ({ app, isTotal }) => (isTotal ? <b>{app}</b> : <span className="clip">{app}</span>),
    },
    ...useAmountColumns<AccountRow>(({ sums }) => sums),
  ];
  return (
    <section aria-labelledby="by-account">
      <h2 id="by-account">{texts.byAccount}</h2>
      <DataTable
        label={texts.byAccount}
        columns={columns}
        rows={rows}
        empty={<p>{texts.noAccount}</p>}
        rowId={({ account, app, isTotal }) =>
          `${account.payChannel} ${account.accountId} ${isTotal ? "" : app}`
        }
      />
    </section>
  );
}

/** The balances of the accounts, if their fund-flow bills were read. */
export function ReportBalances({ accounts }: Pick<BillReport, "accounts">) {
  const texts = useTexts(REPORTS_TEXTS);
  const rows = accounts.filter(({ opening, closing }) => opening !== undefined || closing !== undefined);
  if (rows.length === 0) return null;
  const balance = (of: "opening" | "closing"): Column<Account> => ({
    id: of,
    header: texts[of],
    place: "fourth",
    isNumber: true,
    cell: ({ [of]: shown }) =>
      shown && (
        <>
          <span className="narrow-only">{texts[of]} </span>
          <Money cents={shown.amount} /> <span className="muted">{shown.day}</span>
        </>
      ),
  });
  const columns: readonly Column<Account>[] = [
    {
      id: "account",
      header: texts.account,
      place: "first",
      cell: (account) => <Merchant {...account} />,
    },
    balance("opening"),
    balance("closing"),
  ];
  return (
    <section aria-labelledby="balances">
      <h2 id="balances">{texts.balances}</h2>
      <DataTable
        label={texts.balances}
        columns={columns}
        rows={rows}
        empty={undefined}
        rowId={({ payChannel, accountId }) => `${payChannel} ${accountId}`}
      />
    </section>
  );
}

/** Returns the columns of the amounts. On a narrow screen, each is on a line with its name. */
function useAmountColumns<Row>(sumsOf: (row: Row) => Sums): readonly Column<Row>[] {
  const texts = useTexts(REPORTS_TEXTS);
  const amount = (id: string, header: string, centsOf: (sums: Sums) => number): Column<Row> => ({
    id,
    header,
    place: "fourth",
    isNumber: true,
    // This number is the sum of the net and the fees.
    isSpare: id === "received",
    cell: (row) => (
      <>
        <span className="narrow-only">{header} </span>
        <Money cents={centsOf(sumsOf(row))} />
      </>
    ),
  });
  return [
    amount("paid", texts.paid, ({ paymentAmount }) => paymentAmount),
    amount("refunded", texts.refunded, ({ refundAmount }) => refundAmount),
    amount("received", texts.received, ({ received }) => received),
    amount("fees", texts.feesKept, ({ fees }) => fees),
    amount("net", texts.net, ({ net }) => net),
  ];
}

/** A merchant account: its channel and its id. */
function Merchant({ payChannel, accountId }: Pick<Account, "payChannel" | "accountId">) {
  const channelName = useChannelName();
  return (
    <>
      {channelName(payChannel)} <span className="mono muted">{accountId}</span>
    </>
  );
}
