import type { ReactNode } from "react";
import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { DecideApproval } from "../refunds/decide-approval.js";
import { Money } from "../ui/money.js";
import { Status } from "../ui/status.js";
import { Time } from "../ui/time.js";
import { ACTIVITY_TEXTS } from "./activity-messages.js";

type Approval = Schema<"RefundApproval">;

/** Every request of an order that needs a second operator. Shows nothing if there is none. */
export function OrderApprovals({ approvals }: { readonly approvals: readonly Approval[] }) {
  const texts = useTexts(ACTIVITY_TEXTS);
  if (approvals.length === 0) return null;
  return (
    <section aria-labelledby="requests">
      <h2 id="requests">{texts.requests}</h2>
      <ul className="plain">
        {approvals.map((approval) => (
          <li key={approval.id} className="refund">
            <ApprovalFacts approval={approval} />
            {approval.state === "WAITING" && <DecideApproval approval={approval} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ApprovalFactsProps {
  readonly approval: Approval;
  /** What stands beside the amount. */
  readonly children?: ReactNode;
}

/** The amount and state of a request, who asked and who decided, when and why. */
export function ApprovalFacts({ approval, children }: ApprovalFactsProps) {
  const texts = useTexts(ACTIVITY_TEXTS);
  const {
    amount,
    reason,
    requestedBy,
    requestedAt,
    state,
    decidedBy,
    decidedAt,
    note = "",
    failure,
  } = approval;
  const decision = state === "REJECTED" ? texts.rejectedBy : texts.approvedBy;
  return (
    <>
      <p className="refund-head">
        <Money cents={amount} /> {children} <ApprovalState approval={approval} />
      </p>
      <p>
        {texts.requestedBy(requestedBy, reason)} <Since at={requestedAt} />
      </p>
      {decidedBy !== undefined && decidedAt !== undefined && (
        <p>
          {decision(decidedBy, note)} <Since at={decidedAt} />
        </p>
      )}
      {failure !== undefined && <p className="field-error">{texts.failure(failure)}</p>}
    </>
  );
}

/** A time in muted text. */
function Since({ at }: { readonly at: number }) {
  return (
    <small className="muted">
      <Time at={at} />
    </small>
  );
}

function ApprovalState({ approval: { state, failure } }: { readonly approval: Approval }) {
  const texts = useTexts(ACTIVITY_TEXTS);
  if (failure !== undefined) return <Status tone="bad">{texts.notMade}</Status>;
  const tone = state === "WAITING" ? "waiting" : state === "APPROVED" ? "good" : "neutral";
  return <Status tone={tone}>{texts[state]}</Status>;
}

/** Shows prominently that the stored order contradicts its timeline. */
export function DamageNotice({ damage }: { readonly damage: string | undefined }) {
  const texts = useTexts(ACTIVITY_TEXTS);
  if (damage === undefined) return null;
  return (
    <div className="notice" role="alert">
      <p>
        <strong>{texts.damaged}</strong>
      </p>
      <p>{damage}</p>
    </div>
  );
}
