import { createRoute, Link } from "@tanstack/react-router";
import { readPathSegment, writePathSegment } from "@tillkit/core/text";
import { useLiveOrder } from "../api/use-live-order.js";
import { rootRoute } from "../app/root-route.js";
import { useTexts } from "../language/catalogue.js";
import { formatMoney } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { Copyable } from "../ui/copyable.js";
import { Loaded } from "../ui/loaded.js";
import { PageTitle } from "../ui/page-title.js";
import { Status } from "../ui/status.js";
import { Time } from "../ui/time.js";
import { Facts } from "./facts.js";
import { ORDERS_TEXTS } from "./messages.js";
import { OrderActions } from "./order-actions.js";
import { DamageNotice, OrderApprovals } from "./order-approvals.js";
import { OrderRefunds } from "./order-refunds.js";
import { OrderStatus } from "./order-status.js";
import type { OrderPage } from "./queries.js";
import { Timeline } from "./timeline.js";

/** The page of one order. */
export const orderRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/orders/$appId/$bizNo",
  // Browsers remove segments such as `..`, which is a valid number of an order.
  params: {
    parse: ({ appId, bizNo }) => ({
      appId: readPathSegment(appId) ?? "",
      bizNo: readPathSegment(bizNo) ?? "",
    }),
    stringify: ({ appId, bizNo }) => ({ appId: writePathSegment(appId), bizNo: writePathSegment(bizNo) }),
  },
  component: OrderView,
});

function OrderView() {
  const key = orderRoute.useParams();
  const texts = useTexts(ORDERS_TEXTS);
  const query = useLiveOrder(key);
  return (
    <Loaded query={query}>
      {(page) => (
        <article className="order">
          <DamageNotice damage={page.damage} />
          <Head page={page} />
          <div className="order-columns">
            <div>
              <WhatHappensNext page={page} />
              <OrderApprovals approvals={page.approvals} />
              <OrderRefunds page={page} />
              <Timeline page={page} />
            </div>
            <div>
              <Facts page={page} />
            </div>
          </div>
          <p className="muted" role="status">
            {query.error === null ? texts.live : texts.offline}
          </p>
        </article>
      )}
    </Loaded>
  );
}

/** The amount, the state with its source, and the actions. */
function Head({ page }: { readonly page: OrderPage }) {
  const texts = useTexts(ORDERS_TEXTS);
  const language = useLanguage();
  const { amount, refundedAmount, bizNo, paymentStatus } = page.order;
  const isPartly = refundedAmount > 0 && refundedAmount < amount;
  return (
    <>
      <PageTitle
        title={`${formatMoney(amount, language)} · ${bizNo}`}
        beside={
          <>
            <Copyable text={bizNo}>{null}</Copyable>
            <OrderStatus status={paymentStatus} refundedAmount={refundedAmount} />
          </>
        }
      >
        <OrderActions page={page} />
      </PageTitle>
      <p className="order-state">
        <span>{page.proof}</span>
        {isPartly && <span>{texts.refunded(formatMoney(refundedAmount, language))}</span>}
      </p>
      <OpenAlarms page={page} />
    </>
  );
}

/** The open alarms, newest first. */
function OpenAlarms({ page: { openAlarms, timeline } }: { readonly page: OrderPage }) {
  const texts = useTexts(ORDERS_TEXTS);
  if (openAlarms === 0) return null;
  const open = timeline.filter(({ alarm }) => alarm).slice(-openAlarms);
  return (
    <section className="open-alarms" aria-labelledby="alarms">
      <h2 id="alarms">{texts.openAlarms(String(openAlarms))}</h2>
      <ul className="plain">
        {open.toReversed().map(({ seq, at, sentence }) => (
          <li key={seq}>
            <Status tone="bad">{texts.alarmWord}</Status> {sentence} · <Time at={at} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function WhatHappensNext({ page: { next, approvals } }: { readonly page: OrderPage }) {
  const texts = useTexts(ORDERS_TEXTS);
  const waits = approvals.some(({ state }) => state === "WAITING");
  return (
    <section aria-labelledby="next">
      <h2 id="next">{texts.next}</h2>
      {waits && (
        <>
          <p>{texts.waitsForApproval}</p>
          <p>
            <Link to="/refunds">{texts.toApprovals} →</Link>
          </p>
        </>
      )}
      {next.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {next.length === 0 && !waits && <p className="muted">{texts.nothingNext}</p>}
    </section>
  );
}
