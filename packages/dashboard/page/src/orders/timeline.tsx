import { useTexts } from "../language/catalogue.js";
import { Status } from "../ui/status.js";
import { Time } from "../ui/time.js";
import { ORDERS_TEXTS } from "./messages.js";
import type { OrderPage } from "./queries.js";

/** What happened to an order, in sentences, newest last. It ends with the check of its hashes. */
export function Timeline({ page }: { readonly page: OrderPage }) {
  const texts = useTexts(ORDERS_TEXTS);
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">{texts.timeline}</h2>
      <ol className="timeline">
        {page.timeline.map((event) => (
          <li key={event.seq} className={event.alarm ? "alarm" : undefined}>
            <Time at={event.at} />
            <p>
              {event.alarm && <Status tone="bad">{texts.alarmWord}</Status>} {event.sentence}
            </p>
            <Evidence event={event} />
          </li>
        ))}
      </ol>
      <p className="integrity">
        <Status tone={page.chainHolds ? "good" : "bad"}>
          {page.chainHolds ? texts.chainHolds : texts.chainBroken}
        </Status>
        <span className="muted">{page.integrity}</span>
      </p>
    </section>
  );
}

/** The proof of an event: its type and actor as they are stored, the refund, and the evidence. */
function Evidence({ event }: { readonly event: OrderPage["timeline"][number] }) {
  const texts = useTexts(ORDERS_TEXTS);
  const { actor, evidence, refundNo, type } = event;
  return (
    <details>
      <summary>{texts.evidence}</summary>
      <p className="muted mono">
        {type} · {actor}
      </p>
      {refundNo !== undefined && (
        <p className="muted">
          {texts.refundNo} <span className="mono">{refundNo}</span>
        </p>
      )}
      {evidence !== undefined && <p className="mono">{evidence}</p>}
    </details>
  );
}
