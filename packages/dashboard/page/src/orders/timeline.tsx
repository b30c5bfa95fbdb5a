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
              {event.alarm && <Status tone="bad">{texts.alarmWord}</Status>} {withoutTime(event.sentence)}
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

/** Who reported an event, and with what proof. */
function Evidence({ event }: { readonly event: OrderPage["timeline"][number] }) {
  const texts = useTexts(ORDERS_TEXTS);
  const { actor, reason, evidence, type } = event;
  return (
    <details>
      <summary>
        {texts.actor} {actor}
      </summary>
      <p className="muted">
        {type} · {reason}
      </p>
      {evidence !== undefined && (
        <p className="mono">
          {texts.evidence}: {evidence}
        </p>
      )}
    </details>
  );
}

/** Returns a sentence without the time that it starts with: the row shows the time already. */
function withoutTime(sentence: string): string {
  return sentence.replace(/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)[:：]\s*/, "");
}
