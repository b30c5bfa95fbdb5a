import { Link } from "@tanstack/react-router";
import { useTexts } from "../language/catalogue.js";
import { formatMoney } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { RefundRemedies } from "../refunds/refund-remedies.js";
import { Copyable } from "../ui/copyable.js";
import { Money } from "../ui/money.js";
import { Time } from "../ui/time.js";
import { ACTIVITY_TEXTS } from "./activity-messages.js";
import { AdoptRefund } from "./adopt-refund.js";
import { ORDERS_TEXTS } from "./messages.js";
import { RefundStatus } from "./order-status.js";
import type { OrderPage } from "./queries.js";

/** The refunds of an order, and what remains. */
export function OrderRefunds({ page }: { readonly page: OrderPage }) {
  const texts = useTexts(ORDERS_TEXTS);
  const activity = useTexts(ACTIVITY_TEXTS);
  const language = useLanguage();
  return (
    <section aria-labelledby="refunds">
      <h2 id="refunds">{texts.refunds}</h2>
      {page.refunds.length === 0 && <p className="muted">{texts.noRefunds}</p>}
      <ul className="plain">
        {page.refunds.map((refund) => (
          <li key={refund.refundNo} className="refund">
            <p className="refund-head">
              <Money cents={refund.amount} /> <RefundStatus status={refund.status} />
            </p>
            <p>
              {activity.requestedBy(refund.operator, refund.reason)}{" "}
              <small className="muted">
                <Time at={refund.gmtCreate} />
              </small>
            </p>
            {refund.status !== "CONFIRMED" && <p>{refund.sentence}</p>}
            <p className="muted">
              <Copyable text={refund.refundNo} />
            </p>
            <RefundRemedies refund={{ ...refund, appId: page.order.appId, bizNo: page.order.bizNo }} />
          </li>
        ))}
      </ul>
      {page.refunds.length > 0 && (
        <p>
          <Link to="/refunds" search={{ app: page.order.appId, number: page.order.bizNo }}>
            {texts.allRefunds} →
          </Link>
        </p>
      )}
      <AdoptRefund appId={page.order.appId} bizNo={page.order.bizNo} />
      {page.order.paymentStatus === "PAID" && (
        <p className="muted">{texts.remaining(formatMoney(page.remaining, language))}</p>
      )}
    </section>
  );
}
