import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { formatCount, formatDuration, formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { Icon } from "../ui/icon.js";
import { Status, type Tone } from "../ui/status.js";
import type { FigureScope } from "./lists.js";
import { TODAY_TEXTS } from "./messages.js";

interface NeedsPersonProps {
  readonly today: Schema<"Today">;
  readonly scope: FigureScope;
}

/** What an operator must look at. Each row links to its list. */
export function NeedsPerson({ today, scope: { app } }: NeedsPersonProps) {
  const texts = useTexts(TODAY_TEXTS);
  const language = useLanguage();
  const { alarms, approvals, notMade, credentials, pending, queues = [], at } = today;
  const ofApp = app === undefined ? {} : { app };
  const exceptions = queues.find(({ name }) => name === "billExceptions")?.count;
  const hasExceptions = exceptions !== undefined && exceptions.count > 0;
  const open = alarms.count + approvals.count + notMade.count + credentials.length;
  const isQuiet = open === 0 && !hasExceptions;
  return (
    <section aria-labelledby="needs">
      <h2 id="needs">{texts.needs}</h2>
      <ul className="plain needs">
        {isQuiet && (
          <li className="quiet-row">
            <Icon name="check" /> {texts.nothing}
          </li>
        )}
        {alarms.count > 0 && (
          <li>
            <Link to="/orders" search={{ alarm: "true", ...ofApp }}>
              <Counted tone="bad" count={formatCount(alarms, language)}>
                {texts.alarms}
              </Counted>
            </Link>
          </li>
        )}
        {notMade.count > 0 && (
          <li>
            <Link to="/refunds" search={{ tab: "decided", notMade: "true", ...ofApp }}>
              <Counted tone="bad" count={formatCount(notMade, language)}>
                {texts.notMade}
              </Counted>
            </Link>
          </li>
        )}
        {approvals.count > 0 && (
          <li>
            <Link to="/refunds" search={ofApp}>
              <Counted tone="waiting" count={formatCount(approvals, language)}>
                {texts.approvals}
              </Counted>
            </Link>
          </li>
        )}
        {hasExceptions && (
          <li>
            <Link to="/bills">
              <Counted tone="waiting" count={formatCount(exceptions, language)}>
                {texts.billExceptions}
              </Counted>
            </Link>
          </li>
        )}
        {credentials.length > 0 && (
          <li>
            <Link to="/setup" search={{ tab: "pay-tools" }}>
              <Counted tone="waiting" count={formatNumber(credentials.length, language)}>
                {texts.credentials}
              </Counted>
            </Link>
          </li>
        )}
        <li>
          <Link to="/orders" search={{ status: "PENDING", ...ofApp }}>
            <Counted tone="neutral" count={formatCount(pending.total, language)}>
              {texts.pending}
            </Counted>
          </Link>
        </li>
        {pending.oldest !== undefined && (
          <li>
            <Link to="/orders/$appId/$bizNo" params={pending.oldest}>
              <Status tone="neutral" icon="clock">
                {formatDuration(at - pending.oldest.gmtCreate, language)}
              </Status>
              {texts.oldest}
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}

interface CountedProps {
  readonly tone: Tone;
  readonly count: string;
  readonly children: ReactNode;
}

function Counted({ tone, count, children }: CountedProps) {
  return (
    <>
      <Status tone={tone} icon={tone === "bad" ? "alert" : "clock"}>
        {count}
      </Status>
      {children}
    </>
  );
}
