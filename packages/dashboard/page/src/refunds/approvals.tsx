import { Link } from "@tanstack/react-router";
import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { formatMoney } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useMay } from "../session/session-context.js";
import { Loaded } from "../ui/loaded.js";
import { Money } from "../ui/money.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { Time } from "../ui/time.js";
import { REFUNDS_TEXTS } from "./messages.js";
import { useApprovals, useDecision } from "./queries.js";

/** The refunds that wait for a second person. */
export function Approvals() {
  const texts = useTexts(REFUNDS_TEXTS);
  const query = useApprovals();
  return (
    <section aria-labelledby="approvals">
      <h2 id="approvals">{texts.approvals}</h2>
      <Loaded query={query}>
        {({ items }) => (
          <>
            {items.length === 0 && <p className="muted">{texts.noApprovals}</p>}
            {items.map((approval) => (
              <ApprovalCard key={approval.id} approval={approval} />
            ))}
          </>
        )}
      </Loaded>
    </section>
  );
}

/** One refund: who asks, why, and the decision. */
function ApprovalCard({ approval }: { readonly approval: Schema<"RefundApproval"> }) {
  const texts = useTexts(REFUNDS_TEXTS);
  const language = useLanguage();
  const may = useMay();
  const approve = useDecision(approval.id, "approve");
  const reject = useDecision(approval.id, "reject");
  const { appId, bizNo, amount, reason, requestedBy, requestedAt, mine } = approval;
  const money = formatMoney(amount, language);
  return (
    <article className="exception">
      <h3>
        <Money cents={amount} />{" "}
        <Link className="mono" to="/orders/$appId/$bizNo" params={{ appId, bizNo }}>
          {bizNo}
        </Link>
      </h3>
      <p>{reason}</p>
      <p className="muted">
        {texts.asked(requestedBy)} · <Time at={requestedAt} />
      </p>
      {mine && <p className="muted">{texts.mine}</p>}
      {!mine && (
        <div className="dialog-actions">
          {may("refund.reject") && (
            <ReasonDialog action={texts.reject} title={texts.rejectTitle(money)} change={reject}>
              <p>{texts.rejectHelp}</p>
            </ReasonDialog>
          )}
          {may("refund.approve") && (
            <ReasonDialog action={texts.approve} title={texts.approveTitle(money)} change={approve}>
              <p>{texts.approveHelp}</p>
            </ReasonDialog>
          )}
        </div>
      )}
    </article>
  );
}
