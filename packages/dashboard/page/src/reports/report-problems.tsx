import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Schema } from "../api/routes.js";
import { dayOf } from "../language/business-day.js";
import { useTexts } from "../language/catalogue.js";
import { formatMoney, formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { serverTime } from "../language/server-time.js";
import { useSession } from "../session/session-context.js";
import { useChannelName } from "../ui/channel.js";
import { Status } from "../ui/status.js";
import { REPORTS_TEXTS } from "./messages.js";
import { dayRanges } from "./periods.js";

type BillReport = Schema<"BillReport">;
type Merchant = Pick<BillReport["accounts"][number], "payChannel" | "accountId">;

/** Shows whether the report is complete. If not, shows what to resolve first, and where. */
export function ReportProblems({ report }: { readonly report: BillReport }) {
  const texts = useTexts(REPORTS_TEXTS);
  const { timeZone } = useSession().policy;
  if (report.isComplete) {
    return (
      <p className="problems">
        <Status tone="good">{texts.complete}</Status> {texts.completeHelp}
      </p>
    );
  }
  return (
    <section className="problems" aria-label={texts.problems}>
      <p>
        <Status tone="waiting" icon="alert">
          {texts.notComplete}
        </Status>{" "}
        {texts.notCompleteHelp}
      </p>
      <Problems report={report} />
      {report.until >= dayOf(serverTime(), timeZone) && <p className="muted after">{texts.notOver}</p>}
      {report.missingDays.length > 0 && <p className="muted after">{texts.missingHelp}</p>}
    </section>
  );
}

function Problems({ report }: { readonly report: BillReport }) {
  const texts = useTexts(REPORTS_TEXTS);
  const language = useLanguage();
  const channelName = useChannelName();
  const { missingDays, openExceptions, hasMoreExceptions, differences } = report;
  const nameOf = ({ payChannel, accountId }: Merchant, days: string) =>
    texts.ofBill(channelName(payChannel), accountId, days);
  const differenceText = ({ kind, count = 0, sum = 0, stated = 0 }: BillReport["differences"][number]) => {
    if (kind === "exceptions") return texts.ofAccount;
    return kind === "fees"
      ? texts.fees(formatMoney(sum, language), formatMoney(stated, language))
      : texts[kind](formatNumber(count, language));
  };
  return (
    <ul className="plain needs">
      {missingDays.flatMap(({ days, ...merchant }) =>
        dayRanges(days).map(({ from, until }) => (
          <li key={`missing ${merchant.payChannel} ${merchant.accountId} ${from}`}>
            <Link to="/bills" search={{ tab: "days", from, until }}>
              <Problem what={nameOf(merchant, texts.range(from, until))}>{texts.missing}</Problem>
            </Link>
          </li>
        )),
      )}
      {openExceptions.map((bill) => (
        <li key={`exceptions ${bill.payChannel} ${bill.accountId} ${bill.day}`}>
          <Link to="/bills" search={exceptionsOf(bill)}>
            <Problem what={nameOf(bill, bill.day)}>
              {texts.exceptions(formatNumber(bill.count, language))}
            </Problem>
          </Link>
        </li>
      ))}
      {hasMoreExceptions && (
        <li>
          <Link to="/bills">{texts.moreExceptions}</Link>
        </li>
      )}
      {differences.map((difference) => (
        <li key={`${difference.kind} ${difference.payChannel} ${difference.accountId} ${difference.day}`}>
          <Link to="/bills" search={exceptionsOf(difference)}>
            <Problem what={nameOf(difference, difference.day)}>{differenceText(difference)}</Problem>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Returns the filters of the list of exceptions of one bill. */
function exceptionsOf({ day, payChannel, accountId }: Merchant & { readonly day: string }) {
  return { tab: "exceptions", day, channel: payChannel, account: accountId };
}

function Problem({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  return (
    <span>
      <b>{what}</b> {children}
    </span>
  );
}
