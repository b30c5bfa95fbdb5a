import { Link } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { formatCount, formatDuration, formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { Status } from "../ui/status.js";
import { TODAY_TEXTS } from "./messages.js";

/** What somebody has to look at. Each number leads to what is behind it. */
export function NeedsPerson({ today }: { readonly today: Schema<"Today"> }) {
  const texts = useTexts(TODAY_TEXTS);
  const language = useLanguage();
  const { alarms, approvals, credentials, pending, queues = [], at } = today;
  const exceptions = queues.find(({ name }) => name === "billExceptions");
  const hasExceptions = exceptions !== undefined && exceptions.count.count > 0;
  const isQuiet = alarms.count === 0 && approvals.count === 0 && credentials.length === 0 && !hasExceptions;
  return (
    <section aria-labelledby="needs">
      <h2 id="needs">{texts.needs}</h2>
      <ul className="plain needs">
        {isQuiet && <li className="muted">{texts.nothing}</li>}
        {alarms.count > 0 && (
          <li>
            <Link to="/orders" search={{ alarm: "true" }}>
              <Status tone="bad">{texts.alarms(formatCount(alarms, language))}</Status>
            </Link>
          </li>
        )}
        {approvals.count > 0 && (
          <li>
            <Link to="/refunds">
              <Status tone="waiting">{texts.approvals(formatCount(approvals, language))}</Status>
            </Link>
          </li>
        )}
        {hasExceptions && (
          <li>
            <Link to="/bills">
              <Status tone="waiting">
                {texts.billExceptions}: {formatCount(exceptions.count, language)}
              </Status>
            </Link>
          </li>
        )}
        {credentials.length > 0 && (
          <li>
            <Link to="/setup" search={{ tab: "pay-tools" }}>
              <Status tone="waiting">{texts.credentials(formatNumber(credentials.length, language))}</Status>
            </Link>
          </li>
        )}
        <li>
          <Link to="/orders" search={{ status: "PENDING" }}>
            {texts.pending}: {formatCount(pending.total, language)}
          </Link>
          {pending.oldest !== undefined && (
            <>
              {" · "}
              <Link to="/orders/$appId/$bizNo" params={pending.oldest}>
                {texts.oldest} {formatDuration(at - pending.oldest.gmtCreate)}
              </Link>
            </>
          )}
        </li>
      </ul>
    </section>
  );
}
